//! Assets of a model: files are read, meshes processed, textures decoded; geoms find them by name.

use super::hfield::{self, Hfield, HfieldSource};
use super::mesh::{self, FileType, Mesh, MeshBuiltin, MeshData, MeshInertia, MeshOptions, builtin};
use super::texture::{self, Pixels};
use crate::Context;
use crate::error::{Location, MjcfErrorKind, Problems};
use crate::schema::nearest;
use crate::source;
use crate::spec::{self, Spec, TextureType};
use sim_types::GeomType;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The assets of a model, in the order of the spec.
#[derive(Default)]
pub(super) struct Assets<'a> {
    pub(super) meshes: Vec<Rc<Mesh>>,
    /// Records of the meshes in the spec.
    pub(super) mesh_spec: Vec<usize>,
    pub(super) hfields: Vec<Hfield>,
    pub(super) textures: Vec<Pixels>,
    mesh_ids: HashMap<&'a str, usize>,
    hfield_ids: HashMap<&'a str, usize>,
    /// Materials of meshes.
    materials: Vec<&'a str>,
}

/// What a geom gets from assets.
#[derive(Clone, Copy, Default)]
pub(super) struct GeomAsset<'a> {
    pub(super) mesh: Option<(usize, &'a Mesh)>,
    pub(super) hfield: Option<(usize, &'a Hfield)>,
    /// Material of the mesh.
    pub(super) material: &'a str,
}

/// Compiles all assets; after a problem the lists are incomplete.
#[doc(alias = "mjCModel::CompileMeshesAndTextures")]
pub(super) fn compile<'a>(spec: &'a Spec, context: Context<'_>, problems: &mut Problems) -> Assets<'a> {
    check_names(spec, problems);
    let mut assets = Assets {
        mesh_ids: index(spec.meshes.iter().map(|m| name(&m.name, &m.file))),
        hfield_ids: index(spec.hfields.iter().map(|h| name(&h.name, &h.file))),
        materials: spec.meshes.iter().map(|m| m.material.as_str()).collect(),
        ..Assets::default()
    };
    let (hulls, distances) = assets.uses(spec);
    let mut run = Run { spec, context, vertices: 0, pixels: 0, done: HashMap::new() };
    for (i, record) in spec.meshes.iter().enumerate() {
        match run.mesh(record, hulls[i], distances[i]) {
            Ok(mesh) => {
                assets.meshes.push(mesh);
                assets.mesh_spec.push(i);
            }
            Err(message) => problems.invalid(&record.at, "mesh", &record.name, message),
        }
    }
    for record in &spec.hfields {
        match run.hfield(record) {
            Ok(field) => assets.hfields.push(field),
            Err(message) => problems.invalid(&record.at, "hfield", &record.name, message),
        }
    }

    // what is only for show
    if !spec.compiler.discardvisual {
        for record in &spec.textures {
            match run.texture(record) {
                Ok(pixels) => assets.textures.push(pixels),
                Err(message) => problems.invalid(&record.at, "texture", &record.name, message),
            }
        }
    }
    check_textures(spec, problems);
    check_discarded(spec, &assets, problems);
    assets
}

/// The name of an asset: its own, else that of its file.
pub(crate) fn name<'a>(name: &'a str, file: &'a str) -> &'a str {
    if name.is_empty() { source::stem(file) } else { name }
}

impl Assets<'_> {
    /// The assets that a geom names; an unknown one is a problem.
    pub(super) fn of_geom(&self, geom: &spec::Geom, problems: &mut Problems) -> Option<GeomAsset<'_>> {
        let mut asset = GeomAsset::default();
        if !geom.mesh.is_empty() {
            let id = find(&self.mesh_ids, ("mesh", &geom.mesh), &geom.at, problems)?;
            asset.mesh = self.meshes.get(id).map(|mesh| (id, &**mesh));
            asset.material = self.materials.get(id).copied().unwrap_or_default();
        }
        if !geom.hfield.is_empty() {
            let id = find(&self.hfield_ids, ("hfield", &geom.hfield), &geom.at, problems)?;
            asset.hfield = self.hfields.get(id).map(|field| (id, field));
        }
        Some(asset)
    }

    /// Drops meshes; the new id of every old one.
    pub(super) fn keep_meshes(&mut self, keep: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let mut next = 0..;
        let ids: Vec<Option<usize>> =
            (0..self.meshes.len()).map(|id| if keep(id) { next.next() } else { None }).collect();
        let mut flags = ids.iter().map(Option::is_some);
        self.meshes.retain(|_| flags.next().unwrap_or(false));
        let mut flags = ids.iter().map(Option::is_some);
        self.mesh_spec.retain(|_| flags.next().unwrap_or(false));
        ids
    }

    /// For every mesh: whether a geom collides with its hull, and whether one needs its distances.
    fn uses(&self, spec: &Spec) -> (Vec<bool>, Vec<bool>) {
        let (mut hulls, mut distances) = (vec![false; spec.meshes.len()], vec![false; spec.meshes.len()]);
        let paired: HashSet<&str> = spec.pairs.iter().flat_map(|p| [p.geom1.as_str(), p.geom2.as_str()]).collect();
        for geom in &spec.geoms {
            let Some(&id) = self.mesh_ids.get(geom.mesh.as_str()) else { continue };
            let collides = geom.contype != 0 || geom.conaffinity != 0;
            let is_paired = !geom.name.is_empty() && paired.contains(geom.name.as_str());
            if matches!(geom.r#type, GeomType::Mesh | GeomType::Sdf) && (collides || is_paired) {
                hulls[id] = true;
            }
            distances[id] |= geom.r#type == GeomType::Sdf;
        }
        (hulls, distances)
    }
}

/// Everything that makes one processed mesh different from another.
type Key = (String, FileType, [u64; 10], MeshInertia, [bool; 3], i32);

/// Assets while they are compiled.
struct Run<'a, 's> {
    spec: &'a Spec,
    context: Context<'s>,
    /// Vertices and pixels so far.
    vertices: usize,
    pixels: usize,
    /// Meshes from files, so that a repeated one costs nothing.
    done: HashMap<Key, Rc<Mesh>>,
}

impl Run<'_, '_> {
    fn mesh(&mut self, record: &spec::Mesh, needs_hull: bool, needs_sdf: bool) -> Result<Rc<Mesh>, String> {
        if record.maxhullvert != -1 && record.maxhullvert < 4 {
            return Err("maxhullvert must be 4 or more, or −1 for no limit".to_owned());
        }
        let plate = record.builtin == Some(MeshBuiltin::Plate);
        let options = MeshOptions {
            refpos: record.refpos,
            refquat: record.refquat,
            scale: record.scale,
            inertia: if plate { MeshInertia::Shell } else { record.inertia },
            smoothnormal: record.smoothnormal,
            maxhullvert: usize::try_from(record.maxhullvert).ok(),
            needs_hull,
            needs_sdf,
        };
        let inline = MeshData {
            vert: record.vert.clone(),
            normal: record.normal.clone(),
            texcoord: record.texcoord.clone(),
            face: record.face.clone(),
            ..MeshData::default()
        };
        if let Some(shape) = record.builtin {
            if !record.file.is_empty() || !record.vert.is_empty() {
                return Err("a builtin mesh cannot have a file or vertices of its own".to_owned());
            }
            let data = builtin::make(shape, &record.params).map_err(|error| error.to_string())?;
            return self.process(&data, &options);
        }
        if record.file.is_empty() {
            return self.process(&inline, &options);
        }

        // a file that was seen before, with the same settings, gives the same mesh
        let path = self.path(record.origin, |c| &c.meshdir, &record.file);
        let in_file = |error: mesh::MeshError| format!("file '{path}': {error}");
        let format = mesh::file_type(&record.file, &record.content_type).map_err(in_file)?;
        let alone = inline == MeshData::default();
        let key = (path.clone(), format, bits(&options), options.inertia, flags(&options), record.maxhullvert);
        if let Some(mesh) = self.done.get(&key).filter(|_| alone).cloned() {
            self.count_vertices(mesh.vert.len())?;
            return Ok(mesh);
        }
        let bytes = self.read(&path)?;
        let data = mesh::load(&bytes, format, inline, options.is_mirrored()).map_err(in_file)?;
        drop(bytes);
        let mesh = self.process(&data, &options).map_err(|message| format!("file '{path}': {message}"))?;
        if alone {
            self.done.insert(key, Rc::clone(&mesh));
        }
        Ok(mesh)
    }

    fn process(&mut self, data: &MeshData, options: &MeshOptions) -> Result<Rc<Mesh>, String> {
        self.count_vertices(data.vert.len() / 3)?;
        mesh::process(data, options).map(Rc::new).map_err(|error| error.to_string())
    }

    fn hfield(&mut self, record: &spec::Hfield) -> Result<Hfield, String> {
        let (path, bytes);
        let source = if record.file.is_empty() {
            HfieldSource::Inline { nrow: record.nrow, ncol: record.ncol, elevation: &record.elevation }
        } else {
            path = self.path(record.origin, |c| &c.meshdir, &record.file);
            bytes = self.read(&path)?;
            HfieldSource::File { bytes: &bytes, file: &record.file, content_type: &record.content_type }
        };
        let field = hfield::compile(record.size, source).map_err(|error| in_file(&record.file, &error))?;
        self.count_pixels(field.data.len())?;
        Ok(field)
    }

    fn texture(&mut self, record: &spec::Texture) -> Result<Pixels, String> {
        let image = |file: &str| {
            let bytes = self.read(&self.path(record.origin, |c| &c.texturedir, file))?;
            texture::ImageFile::read(bytes, file, &record.content_type).map_err(|error| in_file(file, &error))
        };
        let mut files = texture::TextureFiles::None;
        if record.builtin == spec::Builtin::None && !record.file.is_empty() {
            files = texture::TextureFiles::Single(image(&record.file)?);
        } else if record.builtin == spec::Builtin::None && record.r#type != TextureType::Texture2d {
            let mut faces = [const { None }; 6];
            for (face, file) in faces.iter_mut().zip(&record.cubefiles).filter(|(_, file)| !file.is_empty()) {
                *face = Some(image(file)?);
            }
            files = texture::TextureFiles::Cube(Box::new(faces));
        }
        let shape = texture::check(record, &files).map_err(|error| in_file(&record.file, &error))?;
        self.count_pixels(shape.width as usize * shape.height as usize)?;
        texture::pixels(record, &files, shape).map_err(|error| in_file(&record.file, &error))
    }

    /// The path of an asset file: as written, without its directories if those are stripped, in `dir` of
    /// the model that names it.
    fn path(&self, origin: usize, dir: impl Fn(&spec::Compiler) -> &String, file: &str) -> String {
        let file = if self.spec.compiler.strippath { source::file_name(file) } else { file };
        source::join(self.spec.dir_of(origin), &source::join(dir(self.spec.compiler_of(origin)), file))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.context.source.read(path).map_err(|error| format!("cannot read '{path}': {error}"))
    }

    fn count_vertices(&mut self, n: usize) -> Result<(), String> {
        self.vertices = self.vertices.saturating_add(n);
        let limit = self.context.limits.vertices;
        if self.vertices > limit {
            return Err(format!("with its {n} vertices the model has {}, and the limit is {limit}", self.vertices));
        }
        Ok(())
    }

    fn count_pixels(&mut self, n: usize) -> Result<(), String> {
        self.pixels = self.pixels.saturating_add(n);
        let limit = self.context.limits.pixels;
        if self.pixels > limit {
            return Err(format!("with its {n} pixels the model has {}, and the limit is {limit}", self.pixels));
        }
        Ok(())
    }
}

/// A message about a file, or about no file.
fn in_file(file: &str, error: &impl std::fmt::Display) -> String {
    if file.is_empty() { error.to_string() } else { format!("file '{file}': {error}") }
}

/// All numbers in the settings of a mesh.
fn bits(options: &MeshOptions) -> [u64; 10] {
    let MeshOptions { refpos: p, refquat: q, scale: s, .. } = options;
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, s.x, s.y, s.z].map(f64::to_bits)
}

/// All switches in the settings of a mesh.
fn flags(options: &MeshOptions) -> [bool; 3] {
    [options.smoothnormal, options.needs_hull, options.needs_sdf]
}

/// Ids by name.
fn index<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    names.enumerate().filter(|(_, name)| !name.is_empty()).map(|(id, name)| (name, id)).collect()
}

fn find(
    ids: &HashMap<&str, usize>,
    (kind, name): (&str, &str),
    at: &Location,
    problems: &mut Problems,
) -> Option<usize> {
    let id = ids.get(name).copied();
    if id.is_none() {
        // in a fixed order, so that the same file always gets the same suggestion
        let mut names: Vec<&str> = ids.keys().copied().collect();
        names.sort_unstable();
        let suggestion = nearest(name, names);
        problems.push(at, MjcfErrorKind::UndefinedName { kind: kind.to_owned(), name: name.to_owned(), suggestion });
    }
    id
}

/// Notes assets without a name.
#[doc(alias = "mjCModel::CheckEmptyNames")]
fn check_names(spec: &Spec, problems: &mut Problems) {
    let meshes = spec.meshes.iter().map(|m| ("mesh", &m.name, &m.file, &m.at));
    let hfields = spec.hfields.iter().map(|h| ("hfield", &h.name, &h.file, &h.at));
    let textures = spec.textures.iter().filter(|t| t.r#type != TextureType::Skybox);
    let textures = textures.map(|t| ("texture", &t.name, &t.file, &t.at));
    for (kind, own, file, at) in meshes.chain(hfields).chain(textures) {
        if name(own, file).is_empty() {
            problems.invalid(at, kind, "", format!("a {kind} needs a name, or a file to be named after"));
        }
    }
}

/// Notes textures that are used but not defined. With `discardvisual` no texture exists, and no material asks for one.
fn check_textures(spec: &Spec, problems: &mut Problems) {
    let discard = spec.compiler.discardvisual;
    let names = || spec.textures.iter().map(|t| name(&t.name, &t.file));
    let defined: HashSet<&str> = names().filter(|_| !discard).collect();
    let of_materials = spec.materials.iter().filter(|_| !discard).flat_map(|m| m.textures.iter().map(|t| (t, &m.at)));
    let of_lights = spec.lights.iter().map(|l| (&l.texture, &l.at));
    for (name, at) in of_materials.chain(of_lights) {
        if !name.is_empty() && !defined.contains(name.as_str()) {
            let suggestion = nearest(name, names());
            problems.push(at, MjcfErrorKind::UndefinedName { kind: "texture".into(), name: name.clone(), suggestion });
        }
    }
}

/// With `discardvisual` there are no materials, so a mesh that is used cannot ask for one.
fn check_discarded(spec: &Spec, assets: &Assets<'_>, problems: &mut Problems) {
    if !spec.compiler.discardvisual {
        return;
    }
    let used: HashSet<&str> = spec.geoms.iter().map(|g| g.mesh.as_str()).collect();
    for record in spec.meshes.iter().filter(|m| !m.material.is_empty()) {
        let name = name(&record.name, &record.file);
        if used.contains(name) && assets.mesh_ids.contains_key(name) {
            let message = format!("discardvisual removes the material '{}' that this mesh names", record.material);
            problems.invalid(&record.at, "mesh", &record.name, message);
        }
    }
}
