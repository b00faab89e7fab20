//! `<include>`: brings the elements of another file to where it stands.
//!
//! A file is looked for in the directory of the main model first, then in the directory of the file that includes it.
//! MuJoCo refuses some repeated includes and not others, depending on how the names are written; the same ones are
//! refused here, and all cycles, which overflow MuJoCo's stack. What repeats remain can double per level, so the number
//! of files and their total size have a limit.

use crate::error::{Location, MjcfErrorKind, Problem, Problems};
use crate::source::{self, Source};
use crate::xml::{Document, NodeId};
use std::collections::HashSet;
use std::io;

/// Files one model may include, repeats counted.
const MAX_FILES: usize = 10_000;

/// Bytes one model may include.
const MAX_BYTES: usize = 1 << 30;

/// Replaces every include under `root` by the elements of its file; `main` is the path of the main model.
pub(crate) fn expand(doc: &mut Document, root: NodeId, source: &dyn Source, main: &str, problems: &mut Problems) {
    let mut run = Expansion {
        source,
        main_dir: source::directory(main).to_owned(),
        files: vec![File { path: source::reduce(main), dir: String::new(), parent: None }],
        included: HashSet::from([source::reduce(main)]),
        bytes: 0,
    };

    // document order, without recursion; every node remembers the file it stands in
    let mut todo = vec![(root, 0)];
    while let Some((id, file)) = todo.pop() {
        let mut inner = file;
        if doc.element(id).name() == "include" {
            match run.include(doc, id, file) {
                Ok(()) => inner = run.files.len() - 1,
                Err(problem) => problems.add(problem),
            }
        }
        if problems.is_full() {
            return;
        }
        let first = todo.len();
        todo.extend(doc.element(id).raw_children().map(|child| (child.id, inner)));
        todo[first..].reverse();
    }
}

struct Expansion<'s> {
    source: &'s dyn Source,
    main_dir: String,
    /// Files in the order they were opened; the first is the main model.
    files: Vec<File>,
    /// Names that may not come again.
    included: HashSet<String>,
    bytes: usize,
}

struct File {
    path: String,
    /// Where its own includes are looked for after the main directory; empty for the main model.
    dir: String,
    /// The file that includes it.
    parent: Option<usize>,
}

impl Expansion<'_> {
    /// Reads the file of the include `id`, which stands in file `parent`, and puts its elements inside.
    fn include(&mut self, doc: &mut Document, id: NodeId, parent: usize) -> Result<(), Problem> {
        let element = doc.element(id);
        let at = element.at();
        let Some(name) = element.attribute("file").map(str::to_owned) else {
            let kind = MjcfErrorKind::MissingAttribute { element: "include".into(), attribute: "file".into() };
            return Err(Problem { at, kind });
        };
        let refuse = |message: &str| {
            let kind = MjcfErrorKind::Include { file: name.clone(), message: message.to_owned() };
            Problem { at: at.clone(), kind }
        };
        if element.is_mixed() || element.raw_children().next().is_some() {
            return Err(refuse("nothing may stand inside <include>, not even a comment"));
        }

        // find and read it
        let (key, path, text) = self.find(&name, parent, &at)?;
        if self.ancestors(parent).any(|file| file.path == path) {
            return Err(refuse("the file includes itself, directly or through others"));
        }
        if self.included.contains(&key) {
            return Err(refuse("the file is already included"));
        }
        self.bytes = self.bytes.saturating_add(text.len());
        if self.files.len() >= MAX_FILES || self.bytes > MAX_BYTES {
            return Err(refuse("too many included files"));
        }
        self.included.insert(source::join(&self.files[parent].dir, &key));

        // its elements take the place of the include
        let root = doc.parse(&path, &text)?;
        let Some(root) = root.filter(|&root| doc.element(root).raw_children().next().is_some()) else {
            return Err(refuse("the file has no elements inside its root element"));
        };
        doc.adopt(root, id);
        self.files.push(File { dir: source::directory(&path).to_owned(), path, parent: Some(parent) });
        Ok(())
    }

    /// Name for the repeat check, path, and content of a file.
    fn find(&self, name: &str, parent: usize, at: &Location) -> Result<(String, String, Vec<u8>), Problem> {
        let in_main = source::join(&self.main_dir, name);
        let error = match self.source.read(&in_main) {
            Ok(text) => return Ok((source::reduce(name), in_main, text)),
            Err(error) => error,
        };
        let beside = source::join(&self.files[parent].dir, name);
        let (path, error) = if error.kind() == io::ErrorKind::NotFound && beside != in_main && parent > 0 {
            match self.source.read(&beside) {
                Ok(text) => return Ok((beside.clone(), beside, text)),
                Err(error) => (beside, error),
            }
        } else {
            (in_main, error)
        };
        let kind = MjcfErrorKind::Read { path, message: error.to_string() };
        Err(Problem { at: at.clone(), kind })
    }

    /// `file` and the files that include it.
    fn ancestors(&self, file: usize) -> impl Iterator<Item = &File> {
        std::iter::successors(self.files.get(file), |f| f.parent.and_then(|p| self.files.get(p)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    fn model(includes: &[&str]) -> String {
        let includes: Vec<String> = includes.iter().map(|f| format!("<include file='{f}'/>")).collect();
        format!("<mujoco>{}</mujoco>", includes.concat())
    }

    /// Names of the elements under the root, or the problems.
    fn load(files: &[(&str, String)]) -> Result<Vec<String>, String> {
        let mut memory = Memory::new();
        for (path, text) in files {
            memory.insert(path, text.as_str());
        }
        let mut doc = Document::default();
        let main = memory.read(files[0].0).unwrap();
        let root = doc.parse(files[0].0, &main).unwrap().unwrap();
        let mut problems = Problems::new();
        expand(&mut doc, root, &memory, files[0].0, &mut problems);
        problems.check().map_err(|e| e.to_string())?;
        Ok(doc.element(root).children().map(|e| e.name().to_owned()).collect())
    }

    fn leaf(name: &str) -> String {
        format!("<x><{name}/></x>")
    }

    #[test]
    fn the_main_directory_comes_before_the_includer() {
        let main = ("m/main.xml", model(&["s/a.xml"]));
        let a = ("m/s/a.xml", model(&["b.xml"]));
        let beside = ("m/s/b.xml", leaf("beside"));
        let found = load(&[main.clone(), a.clone(), beside.clone()]);
        assert_eq!(found.unwrap(), ["beside"]);
        let found = load(&[main, a, beside, ("m/b.xml", leaf("main"))]);
        assert_eq!(found.unwrap(), ["main"]);
    }

    #[test]
    fn repeats_are_refused_as_in_mujoco() {
        let twice = load(&[("main.xml", model(&["a.xml", "x/../a.xml"])), ("a.xml", leaf("a"))]);
        assert_eq!(twice.unwrap_err(), "main.xml:1:32: <include file=\"x/../a.xml\">: the file is already included");
        // the second one is not noticed, because nested files are remembered with their directory
        let nested =
            load(&[("m/main.xml", model(&["a.xml", "b.xml"])), ("m/a.xml", model(&["b.xml"])), ("m/b.xml", leaf("b"))]);
        assert_eq!(nested.unwrap(), ["b", "b"]);
    }

    #[test]
    fn cycles_are_refused() {
        let own = load(&[("main.xml", model(&["main.xml"]))]);
        assert!(own.unwrap_err().contains("the file includes itself"));
        let long = load(&[
            ("m/main.xml", model(&["a.xml"])),
            ("m/a.xml", model(&["b.xml"])),
            ("m/b.xml", model(&["c.xml"])),
            ("m/c.xml", model(&["b.xml"])),
        ]);
        assert!(long.unwrap_err().starts_with("m/c.xml:1:9: <include file=\"b.xml\">: the file includes itself"));
    }

    #[test]
    fn doubling_includes_stop_at_the_limit() {
        let mut files = vec![("m/main.xml".to_owned(), model(&["s/0.xml"]))];
        for i in 0..40 {
            let next = format!("{}.xml", i + 1);
            files.push((format!("m/s/{i}.xml"), model(&[&next, &next])));
        }
        files.push(("m/s/40.xml".to_owned(), leaf("a")));
        let files: Vec<(&str, String)> = files.iter().map(|(p, t)| (p.as_str(), t.clone())).collect();
        // whichever of the two rules stops it first, it stops
        assert!(load(&files).is_err());
    }

    #[test]
    fn what_cannot_be_included_says_why() {
        let main = |inside: &str| ("main.xml", format!("<mujoco>{inside}</mujoco>"));
        let a = ("a.xml", leaf("a"));
        let message = |files: &[(&str, String)]| load(files).unwrap_err();
        assert!(message(&[main("<include/>")]).contains("<include> needs the attribute 'file'"));
        assert!(message(&[main("<include file='a.xml'><b/></include>"), a.clone()]).contains("nothing may stand"));
        assert!(message(&[main("<include file='a.xml'><!-- --></include>"), a.clone()]).contains("nothing may stand"));
        assert!(load(&[main("<include file='a.xml'> </include>"), a]).is_ok());
        assert!(message(&[main("<include file='b.xml'/>")]).contains("cannot read 'b.xml': no such file"));
        for empty in ["", "<!-- -->", "<mujoco/>"] {
            let text = message(&[main("<include file='a.xml'/>"), ("a.xml", empty.to_owned())]);
            assert!(text.contains("has no elements"), "{text}");
        }
        let inner = message(&[main("<include file='a.xml'/>"), ("a.xml", "<x>\n<y></x>".to_owned())]);
        assert!(inner.starts_with("a.xml:2:4: not well-formed XML"), "{inner}");
    }
}
