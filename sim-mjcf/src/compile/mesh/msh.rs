//! The legacy MSH format: four counts, then vertices, normals, texture coordinates and faces as they are in memory.

use super::MeshData;
use super::error::MeshError;

const HEADER: usize = 16;

/// Reads a legacy MSH file; `mirrored` turns the faces over, but not the normals and texture coordinates of their corners.
#[doc(alias = "mjCMesh::LoadMSH")]
pub(super) fn load(bytes: &[u8], mirrored: bool) -> Result<MeshData, MeshError> {
    let format = "MSH";
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(MeshError::Header { format, size: bytes.len(), header: HEADER });
    };
    let counts: Vec<i32> = words(header).map(i32::from_le_bytes).collect();
    let &[nvert, nnormal, ntexcoord, nface] = counts.as_slice() else {
        return Err(MeshError::Header { format, size: bytes.len(), header: HEADER });
    };

    // counts must fit each other, then the file must fit them
    let count = |what, value: i32, expected| MeshError::Count { format, what, value: i64::from(value), expected };
    if nvert < 4 {
        return Err(count("number of vertices", nvert, "4 or more"));
    }
    if nnormal != 0 && nnormal != nvert {
        return Err(count("number of normals", nnormal, "0 or as many as vertices"));
    }
    if ntexcoord != 0 && ntexcoord != nvert {
        return Err(count("number of texture coordinates", ntexcoord, "0 or as many as vertices"));
    }
    if nface < 0 {
        return Err(count("number of faces", nface, "0 or more"));
    }
    let sizes = [3, 3, 2, 3].map(i64::from).into_iter().zip(&counts).map(|(k, &n)| (k * i64::from(n)) as u64);
    let expected = HEADER as u64 + 4 * sizes.sum::<u64>();
    if bytes.len() as u64 != expected {
        return Err(MeshError::Size { format, size: bytes.len(), expected });
    }

    let mut numbers = words(body);
    let mut take = |count: usize| -> Vec<[u8; 4]> { numbers.by_ref().take(count).collect() };
    let floats = |words: Vec<[u8; 4]>| words.into_iter().map(f32::from_le_bytes).collect();
    let vert = floats(take(3 * nvert as usize));
    let normal = floats(take(3 * nnormal as usize));
    let texcoord: Vec<f32> = floats(take(2 * ntexcoord as usize));
    let mut face: Vec<i32> = take(3 * nface as usize).into_iter().map(i32::from_le_bytes).collect();
    let facenormal = face.clone();
    let facetexcoord = if texcoord.is_empty() { Vec::new() } else { face.clone() };
    if mirrored {
        face.chunks_exact_mut(3).for_each(|f| f.swap(1, 2));
    }
    Ok(MeshData { vert, normal, texcoord, face, facenormal, facetexcoord, any_texcoord: false })
}

fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(counts: [i32; 4], numbers: usize, faces: &[i32]) -> Vec<u8> {
        let mut bytes: Vec<u8> = counts.iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend((0..numbers).flat_map(|i| (i as f32).to_le_bytes()));
        bytes.extend(faces.iter().flat_map(|n| n.to_le_bytes()));
        bytes
    }

    #[test]
    fn all_parts_are_found() {
        let mesh = load(&file([4, 4, 4, 2], 32, &[0, 1, 2, 1, 2, 3]), true).unwrap();
        assert_eq!((mesh.vert.len(), mesh.normal[0], mesh.texcoord[0]), (12, 12.0, 24.0));
        assert_eq!(mesh.face, [0, 2, 1, 1, 3, 2]);
        assert_eq!(mesh.facenormal, [0, 1, 2, 1, 2, 3]);
        assert_eq!(mesh.facetexcoord, mesh.facenormal);
    }

    #[test]
    fn counts_and_size_are_checked() {
        for (counts, what) in [
            ([3, 0, 0, 0], "vertices"),
            ([4, 3, 0, 0], "normals"),
            ([4, 0, -1, 0], "texture"),
            ([4, 0, 0, -1], "faces"),
            ([i32::MAX, 0, 0, i32::MAX], "bytes"),
        ] {
            let error = load(&file(counts, 12, &[]), false).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        assert!(matches!(load(&[0; 15], false), Err(MeshError::Header { .. })));
    }
}
