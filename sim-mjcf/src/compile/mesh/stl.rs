//! STL files: binary, and ASCII, which MuJoCo does not read.

use super::MeshData;
use super::error::MeshError;

/// Most faces an STL file may have.
const MAX_FACES: i32 = 200_000;
/// Largest coordinate an STL file may have.
const MAX_COORDINATE: f32 = 1_073_741_824.0;
const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads an STL file; `mirrored` turns the faces over. Vertices are repeated for every face that uses them.
#[doc(alias = "mjCMesh::LoadSTL")]
pub(super) fn load(bytes: &[u8], mirrored: bool) -> Result<MeshData, MeshError> {
    let vert = match binary(bytes) {
        Err(_) if is_text(bytes) => ascii(bytes)?,
        result => result?,
    };
    for (i, v) in vert.chunks_exact(3).enumerate() {
        if v.iter().any(|x| x.abs() > MAX_COORDINATE) {
            return Err(MeshError::Bounds(i));
        }
    }
    let corners = if mirrored { [0, 2, 1] } else { [0, 1, 2] };
    let face = (0..vert.len() as i32 / 9).flat_map(|f| corners.map(|k| 3 * f + k)).collect();
    Ok(MeshData { vert, face, ..MeshData::default() })
}

/// The corners of all faces of a binary file.
fn binary(bytes: &[u8]) -> Result<Vec<f32>, MeshError> {
    let format = "STL";
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(MeshError::Header { format, size: bytes.len(), header: HEADER });
    };
    let count = read_i32(&header[80..]);
    if !(1..=MAX_FACES).contains(&count) {
        let (what, value) = ("number of faces", i64::from(count));
        return Err(MeshError::Count { format, what, value, expected: "1 to 200000" });
    }
    if body.len() != count as usize * RECORD {
        let expected = (HEADER + count as usize * RECORD) as u64;
        return Err(MeshError::Size { format, size: bytes.len(), expected });
    }

    // each record is a normal, three corners and two bytes of attributes
    let corners = body.chunks_exact(RECORD).flat_map(|record| record[12..48].chunks_exact(4));
    Ok(corners.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// True when the bytes begin as an ASCII file does.
fn is_text(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"solid")
}

/// The corners of all faces of an ASCII file: every group of three `vertex` lines is a face.
fn ascii(bytes: &[u8]) -> Result<Vec<f32>, MeshError> {
    let wrong = |line: usize, message: &str| MeshError::Text { format: "STL", line, message: message.to_owned() };
    let text = String::from_utf8_lossy(bytes);
    let mut vert = Vec::new();
    let mut corners = 0;
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        last = number + 1;
        match words.next() {
            Some("vertex") => {
                let before = vert.len();
                vert.extend(words.map_while(|word| word.parse::<f32>().ok()));
                if vert.len() - before != 3 {
                    return Err(wrong(last, "expected 'vertex' and three numbers"));
                }
                corners += 1;
            }
            Some("endloop" | "endfacet") if corners % 3 != 0 => {
                return Err(wrong(last, "expected facets of three vertices"));
            }
            Some("solid" | "facet" | "outer" | "endloop" | "endfacet" | "endsolid") | None => {}
            Some(_) => {
                return Err(wrong(last, "expected solid, facet, outer loop, vertex, endloop, endfacet or endsolid"));
            }
        }
        if vert.len() > 9 * MAX_FACES as usize {
            return Err(wrong(last, "more than 200000 facets"));
        }
    }
    if vert.is_empty() || corners % 3 != 0 {
        return Err(wrong(last, "expected facets of three vertices before the end"));
    }
    Ok(vert)
}

fn read_i32(bytes: &[u8]) -> i32 {
    bytes.first_chunk().map_or(0, |b| i32::from_le_bytes(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary_file(faces: &[[f32; 9]]) -> Vec<u8> {
        let mut bytes = vec![b'x'; 80];
        bytes.extend((faces.len() as i32).to_le_bytes());
        for face in faces {
            bytes.extend([0; 12]);
            bytes.extend(face.iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5];

    #[test]
    fn binary_and_text_agree() {
        let text = "solid a\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1e0 0 0\r\n vertex 0 1 .5\n \
                    endloop\n endfacet\nendsolid a\n";
        let from_text = load(text.as_bytes(), false).unwrap();
        assert_eq!(from_text, load(&binary_file(&[CORNERS]), false).unwrap());
        assert_eq!(from_text.vert, CORNERS);
    }

    #[test]
    fn mirrored_faces_are_turned_over() {
        let mesh = load(&binary_file(&[CORNERS, CORNERS]), true).unwrap();
        assert_eq!(mesh.face, [0, 2, 1, 3, 5, 4]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut bytes = binary_file(&[CORNERS]);
        assert!(matches!(load(&bytes[..50], false), Err(MeshError::Header { .. })));
        bytes.push(0);
        assert!(matches!(load(&bytes, false), Err(MeshError::Size { expected: 134, .. })));
        bytes[80] = 0;
        assert!(matches!(load(&bytes, false), Err(MeshError::Count { value: 0, .. })));
        let far = [2e9; 9];
        assert_eq!(load(&binary_file(&[far]), false), Err(MeshError::Bounds(0)));
    }

    #[test]
    fn broken_text_names_the_line() {
        for (text, line) in [
            ("solid\nfacet\nvertex 1 2\n", 3),
            ("solid\nouter loop\nvertex 1 2 3\nendloop\n", 4),
            ("solid\nvortex 1 2 3\n", 2),
            ("solid\nendsolid\n", 2),
        ] {
            let error = load(text.as_bytes(), false).unwrap_err();
            assert!(matches!(error, MeshError::Text { line: l, .. } if l == line), "{text}: {error}");
        }
    }
}
