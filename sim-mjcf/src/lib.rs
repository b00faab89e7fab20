//! MJCF or URDF in, Model out: the XML front end and the model compiler; and MJCF out again.
//!
//! ```
//! let model = sim_mjcf::load_model(
//!     "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
//! )?;
//! assert_eq!(model.nv, 6);
//! # Ok::<(), sim_mjcf::MjcfError>(())
//! ```
//!
//! Text becomes a document with places (`xml`), included files take their place in it (`include`), the grammar is
//! checked (`schema`), a [`Spec`] is read from it (`parse`), and the compiler turns that into a model ([`compile()`]).
//! A file whose root is `<robot>` is URDF and takes a way of its own (`urdf`). [`Spec::to_xml`] and [`model_to_mjcf`]
//! write MJCF (`write`). Every stage reports all the problems it can find; the next one runs only if there are none.

#![forbid(unsafe_code)]

mod attr;
pub mod compile;
mod defaults;
mod error;
mod include;
mod keywords;
mod limits;
mod number;
mod parse;
mod recompile;
mod schema;
mod source;
pub mod spec;
mod urdf;
mod write;
mod xml;

pub use error::{LoadReport, Location, MjcfError, MjcfErrorKind, Problem, Problems, Warning};
pub use limits::Limits;
#[cfg(not(target_arch = "wasm32"))]
pub use source::{Files, Folder};
pub use source::{Memory, Source};
pub use spec::Spec;
pub use write::{WriteError, model_to_mjcf};

use sim_core::Model;

/// Loads a model from MJCF text. Files that the text refers to are not looked for: see [`load_with`].
pub fn load_model(xml: &str) -> Result<Model, MjcfError> {
    const NAME: &str = "<string>";
    let source = Memory::from([(NAME, xml)]);
    load_with(&source, NAME, LoadOptions::default()).map(|loaded| loaded.model)
}

/// Loads a model from an MJCF file.
#[cfg(not(target_arch = "wasm32"))]
pub fn load_file(path: impl AsRef<std::path::Path>) -> Result<Model, MjcfError> {
    let path = path.as_ref();
    let Some(name) = path.to_str() else {
        let name = path.to_string_lossy();
        return Err(unreadable(&name, "the path is not UTF-8"));
    };
    load_with(&Files, name, LoadOptions::default()).map(|loaded| loaded.model)
}

/// Loads a model from the file `path` of a source, and says what was noticed on the way.
pub fn load_with(source: &dyn Source, path: &str, options: LoadOptions) -> Result<Loaded, MjcfError> {
    let span = tracing::debug_span!("load", path);
    let _guard = span.enter();
    let context = Context { source, limits: options.limits };
    let (spec, mut report) = read(context, path)?;
    let model = compile::compile(&spec, context, &mut report)?;
    finish(&mut report, options)?;
    Ok(Loaded { model, report })
}

/// Reads the file `path` of a source without compiling it, for code that edits the spec first.
pub fn load_spec(source: &dyn Source, path: &str, options: LoadOptions) -> Result<(Spec, LoadReport), MjcfError> {
    let (spec, mut report) = read(Context { source, limits: options.limits }, path)?;
    finish(&mut report, options)?;
    Ok((spec, report))
}

/// Compiles a spec. Files that it names (meshes, textures, …) are read from `source`.
#[doc(alias = "mj_compile")]
pub fn compile(spec: &Spec, source: &dyn Source, options: LoadOptions) -> Result<Loaded, MjcfError> {
    let mut report = LoadReport::default();
    let model = compile::compile(spec, Context { source, limits: options.limits }, &mut report)?;
    finish(&mut report, options)?;
    Ok(Loaded { model, report })
}

/// How to load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Whether a warning is an error.
    pub strict: bool,
    /// What the model may ask for.
    pub limits: Limits,
}

/// What every step of loading may need.
#[derive(Clone, Copy)]
pub(crate) struct Context<'s> {
    /// Where files come from.
    source: &'s dyn Source,
    /// What the model may ask for.
    limits: Limits,
}

/// A model and what was noticed while it was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What was noticed.
    pub report: LoadReport,
}

/// Reads a file into a spec.
fn read(context: Context<'_>, path: &str) -> Result<(Spec, LoadReport), MjcfError> {
    let text = context.source.read(path).map_err(|error| unreadable(path, &error.to_string()))?;
    read_text(context, &text, &parse::Nest::main(path, &parse::Nest::budget()))
}

/// Reads the text of a file into a spec.
fn read_text(context: Context<'_>, text: &[u8], nest: &parse::Nest<'_>) -> Result<(Spec, LoadReport), MjcfError> {
    let path = nest.path();
    let span = tracing::debug_span!("read", path);
    let _guard = span.enter();
    let mut doc = xml::Document::default();
    let Some(root) = doc.parse(path, text)? else {
        let message = "there is no element in it; a model starts with <mujoco>".to_owned();
        return Err(at_file(path, MjcfErrorKind::Syntax { message }));
    };

    let mut problems = Problems::new();
    if urdf::is_robot(doc.element(root)) {
        let spec = urdf::parse(&doc, root, context, nest, &mut problems);
        problems.check()?;
        return Ok((spec, problems.take_report()));
    }
    include::expand(&mut doc, root, context.source, path, &mut problems);
    problems.check()?;
    schema::check(&doc, root, &mut problems);
    problems.check()?;
    let spec = parse::parse(&doc, root, context, nest, &mut problems);
    problems.check()?;
    Ok((spec, problems.take_report()))
}

/// Writes the warnings to the log, or makes them errors.
fn finish(report: &mut LoadReport, options: LoadOptions) -> Result<(), MjcfError> {
    let mut problems = Problems::new();
    for warning in &report.warnings {
        if options.strict {
            problems.push(&warning.at, MjcfErrorKind::Warning { message: warning.message.clone() });
        } else {
            tracing::warn!("{warning}");
        }
    }
    problems.check()
}

fn unreadable(path: &str, message: &str) -> MjcfError {
    at_file(path, MjcfErrorKind::Read { path: path.to_owned(), message: message.to_owned() })
}

fn at_file(path: &str, kind: MjcfErrorKind) -> MjcfError {
    Problem { at: Location { file: path.into(), line: 0, column: 0 }, kind }.into()
}
