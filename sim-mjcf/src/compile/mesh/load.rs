//! Which loader reads a file, and how its data joins what the model gives.

use super::error::MeshError;
use super::{MeshData, msh, obj, stl};

/// The formats of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileType {
    /// Wavefront.
    Obj,
    /// Stereolithography.
    Stl,
    /// MuJoCo's own, not that of Gmsh.
    Msh,
}

/// The format of a file: by its content type if one is given, else by its extension, in any case.
#[doc(alias = "mjCBase::GetAssetContentType")]
pub fn file_type(file: &str, content_type: &str) -> Result<FileType, MeshError> {
    let media_type = media_type(file, content_type);
    match media_type.as_deref() {
        Some("model/obj") => Ok(FileType::Obj),
        Some("model/stl") => Ok(FileType::Stl),
        Some("model/vnd.mujoco.msh") => Ok(FileType::Msh),
        Some(other) => Err(MeshError::Format(other.to_owned())),
        None if content_type.is_empty() => Err(MeshError::Format(file.to_owned())),
        None => Err(MeshError::Format(content_type.to_owned())),
    }
}

/// The media type `type/subtype` of an asset file; `None` when unknown or malformed.
pub(crate) fn media_type(file: &str, content_type: &str) -> Option<String> {
    if content_type.is_empty() {
        let (_, extension) = file.rsplit_once('.')?;
        return Some(match extension.to_ascii_lowercase().as_str() {
            "stl" => "model/stl".to_owned(),
            "obj" => "model/obj".to_owned(),
            "ply" => "model/ply".to_owned(),
            "msh" => "model/vnd.mujoco.msh".to_owned(),
            "png" => "image/png".to_owned(),
            _ => return None,
        });
    }

    // parameters after a semicolon are left out
    let (kind, rest) = content_type.split_once('/')?;
    let subtype = rest.split(';').next().unwrap_or_default();
    (!kind.is_empty() && !subtype.is_empty()).then(|| format!("{kind}/{subtype}"))
}

/// Reads a mesh file and fills the arrays it does not have from `inline`.
///
/// `mirrored` turns faces over, for a scale that turns left into right. MuJoCo keeps the repeated vertices of every
/// format but STL, and so do we.
#[doc(alias = "mjCMesh::LoadFromResource")]
pub fn load(bytes: &[u8], format: FileType, inline: MeshData, mirrored: bool) -> Result<MeshData, MeshError> {
    let file = match format {
        FileType::Obj => obj::load(bytes, mirrored)?,
        FileType::Stl => without_repeats(stl::load(bytes, mirrored)?)?,
        FileType::Msh => msh::load(bytes, mirrored)?,
    };
    if !file.facenormal.is_empty() && !inline.normal.is_empty() {
        return Err(MeshError::Repeated("normal"));
    }
    Ok(MeshData {
        normal: either("normal", file.normal, inline.normal)?,
        texcoord: either("texcoord", file.texcoord, inline.texcoord)?,
        face: either("face", file.face, inline.face)?,
        vert: either("vertex", file.vert, inline.vert)?,
        facenormal: either("facenormal", file.facenormal, inline.facenormal)?,
        facetexcoord: either("facetexcoord", file.facetexcoord, inline.facetexcoord)?,
        any_texcoord: file.any_texcoord,
    })
}

fn either<T>(what: &'static str, file: Vec<T>, inline: Vec<T>) -> Result<Vec<T>, MeshError> {
    match (file.is_empty(), inline.is_empty()) {
        (false, false) => Err(MeshError::Repeated(what)),
        (true, _) => Ok(inline),
        (false, true) => Ok(file),
    }
}

/// Keeps the first of several vertices that are equal, and renumbers the faces.
#[doc(alias = "mjCMesh::ProcessVertices")]
pub(crate) fn without_repeats(mesh: MeshData) -> Result<MeshData, MeshError> {
    let mut seen = std::collections::HashMap::new();
    let mut vert = Vec::new();
    let mut new_index = Vec::with_capacity(mesh.vert.len() / 3);
    for (i, v) in mesh.vert.chunks_exact(3).enumerate() {
        if v.iter().any(|x| !x.is_finite()) {
            return Err(MeshError::NotFinite(i));
        }
        // adding zero makes a negative zero positive, so that both are the same key
        let key = [v[0] + 0.0, v[1] + 0.0, v[2] + 0.0].map(f32::to_bits);
        let next = seen.len() as i32;
        new_index.push(*seen.entry(key).or_insert_with(|| {
            vert.extend_from_slice(v);
            next
        }));
    }
    let renumber = |&i: &i32| usize::try_from(i).ok().and_then(|i| new_index.get(i)).copied().unwrap_or(i);
    Ok(MeshData { vert, face: mesh.face.iter().map(renumber).collect(), ..mesh })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_type_beats_the_extension() {
        assert_eq!(file_type("a/b.STL", ""), Ok(FileType::Stl));
        assert_eq!(file_type("a.stl", "model/obj"), Ok(FileType::Obj));
        assert_eq!(file_type("a", "model/vnd.mujoco.msh;x=1"), Ok(FileType::Msh));
        for (file, content) in [("a.ply", ""), ("a", ""), ("a.stl", "model"), ("a.stl", "/stl"), ("a.stl", "model/")] {
            assert!(matches!(file_type(file, content), Err(MeshError::Format(_))), "{file} {content}");
        }
    }

    #[test]
    fn equal_vertices_are_kept_once() {
        let vert = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        let mesh = without_repeats(MeshData { vert, face: vec![0, 1, 2, 3, 2, 9], ..MeshData::default() }).unwrap();
        assert_eq!(mesh.vert, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(mesh.face, [0, 1, 0, 1, 0, 9]);
    }

    #[test]
    fn data_may_come_from_both_sides_but_not_twice() {
        let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
        let inline = MeshData { face: vec![0, 1, 2], ..MeshData::default() };
        let mesh = load(obj, FileType::Obj, inline, false).unwrap();
        assert_eq!((mesh.vert.len(), mesh.face.len()), (12, 3));
        let inline = MeshData { vert: vec![0.0; 12], ..MeshData::default() };
        assert_eq!(load(obj, FileType::Obj, inline, false), Err(MeshError::Repeated("vertex")));
    }
}
