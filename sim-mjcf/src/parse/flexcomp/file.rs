//! Points and elements from files.

use super::{Flexcomp, gmsh};
use crate::compile::mesh::{self, FileType, MeshData};
use crate::parse::Reader;
use crate::source;
use sim_types::{MINVAL, Vec3};

/// Takes the triangles of a mesh, or the tetrahedra between them and the origin.
#[doc(alias = "mjCFlexcomp::MakeMesh")]
pub(super) fn mesh(reader: &Reader<'_>, comp: &mut Flexcomp) -> Result<(), String> {
    if comp.flex.dim < 2 {
        return Err("a mesh needs dim=\"2\" or more".to_owned());
    }
    let (path, bytes) = read(reader, comp)?;
    let in_file = |error: mesh::MeshError| format!("file '{path}': {error}");
    let format = mesh::file_type(&comp.file, "").map_err(in_file)?;
    if format == FileType::Msh {
        return Err("files in MuJoCo's own MSH format cannot be used here".to_owned());
    }
    let data = mesh::load(&bytes, format, MeshData::default(), false).map_err(in_file)?;
    let data = if format == FileType::Obj { mesh::without_repeats(data).map_err(in_file)? } else { data };
    if data.vert.is_empty() || data.face.is_empty() {
        return Err(format!("file '{path}' has no vertices or no faces"));
    }
    comp.point = data.vert.iter().map(|x| f64::from(*x)).collect();
    if !data.texcoord.is_empty() {
        comp.texcoord = data.texcoord;
        comp.elemtexcoord = data.facetexcoord;
    }
    comp.element.clear();
    if comp.flex.dim == 2 {
        comp.element = data.face;
        return Ok(());
    }

    // tetrahedra with a volume, seen from the origin
    let origin = Vec3::from(comp.origin);
    let at = |id: i32| {
        let start = usize::try_from(id).ok()? * 3;
        comp.point.get(start..start + 3).map(|p| Vec3::new(p[0], p[1], p[2]) - origin)
    };
    for face in data.face.chunks_exact(3) {
        let (Some(a), Some(b), Some(c)) = (at(face[0]), at(face[1]), at(face[2])) else {
            return Err(format!("file '{path}' has a face with a vertex that does not exist"));
        };
        if a.cross(&b).dot(&c) >= MINVAL {
            comp.element.extend([0, face[0] + 1, face[1] + 1, face[2] + 1]);
        }
    }
    comp.point.splice(0..0, comp.origin);
    Ok(())
}

/// Takes points and elements of a Gmsh file, and its dimension.
#[doc(alias = "mjCFlexcomp::MakeGMSH")]
pub(super) fn gmsh(reader: &Reader<'_>, comp: &mut Flexcomp) -> Result<(), String> {
    let (path, bytes) = read(reader, comp)?;
    let loaded = gmsh::load(&bytes).map_err(|message| format!("file '{path}': {message}"))?;
    comp.flex.dim = loaded.dim;
    comp.point.extend(loaded.point);
    comp.element.extend(loaded.element);
    Ok(())
}

/// The file and where it was found.
fn read(reader: &Reader<'_>, comp: &Flexcomp) -> Result<(String, Vec<u8>), String> {
    if comp.file.is_empty() {
        return Err("this type needs a file".to_owned());
    }
    let compiler = &reader.spec.compiler;
    let name = if compiler.strippath { source::file_name(&comp.file) } else { &comp.file };
    let path = source::join(&reader.spec.dir, &source::join(&compiler.meshdir, name));
    match reader.context.source.read(&path) {
        Ok(bytes) => Ok((path, bytes)),
        Err(error) => Err(format!("cannot read '{path}': {error}")),
    }
}
