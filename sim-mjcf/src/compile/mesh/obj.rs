//! Wavefront OBJ files, read as MuJoCo's loader reads them.
//!
//! All vertices, normals and texture coordinates of the file are kept, but only the faces of its first shape: the faces
//! before the next `o` or `g` line. Polygons are cut into triangles by removing ears. Materials, colours, lines and
//! points are passed over, yet a line or point list with an index of zero makes the file invalid.

mod number;
mod triangulate;

use super::MeshData;
use super::error::MeshError;
use number::{integer, real};
use triangulate::Triangulator;

/// Vertex, texture coordinate and normal of one corner, from 0; −1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Corner {
    vert: i32,
    texcoord: i32,
    normal: i32,
}

/// Reads an OBJ file; `mirrored` turns the faces over.
#[doc(alias = "mjCMesh::LoadOBJ")]
pub(super) fn load(bytes: &[u8], mirrored: bool) -> Result<MeshData, MeshError> {
    let mut reader = Reader::default();
    for (i, line) in lines(bytes).enumerate() {
        reader.line(line).map_err(|message| MeshError::Text { format: "OBJ", line: i + 1, message })?;
    }
    reader.flush().map_err(MeshError::Budget)?;
    let indices = match reader.shape {
        Some(shape) => shape,
        None => reader.current,
    };

    let mut mesh = MeshData {
        vert: reader.vert,
        normal: reader.normal,
        texcoord: reader.texcoord,
        any_texcoord: true,
        ..MeshData::default()
    };
    let order = if mirrored { [0, 2, 1] } else { [0, 1, 2] };
    for corner in indices.iter().flat_map(|triangle| order.map(|k| triangle[k])) {
        mesh.face.push(corner.vert);
        if !mesh.normal.is_empty() {
            mesh.facenormal.push(corner.normal);
        }
        if !mesh.texcoord.is_empty() {
            mesh.facetexcoord.push(corner.texcoord);
        }
    }

    // images are stored from the top, coordinates run from the bottom
    for t in mesh.texcoord.iter_mut().skip(1).step_by(2) {
        *t = 1.0 - *t;
    }
    Ok(mesh)
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    vert: Vec<f32>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    /// Polygons of the current group, not yet cut.
    polygons: Vec<Vec<Corner>>,
    /// Whether the current group has lines or points.
    has_lines: bool,
    /// Triangles of the current shape.
    current: Vec<[Corner; 3]>,
    /// The first shape, once it is complete.
    shape: Option<Vec<[Corner; 3]>>,
    triangulator: Triangulator,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let line = trim_start(line);
        let (key, mut rest) = line.split_at(line.iter().position(|c| is_blank(*c)).unwrap_or(line.len()));
        let complete = !rest.is_empty();
        rest = rest.get(1..).unwrap_or_default();
        match key {
            b"v" if complete => self.vert.extend([real(&mut rest), real(&mut rest), real(&mut rest)]),
            b"vn" if complete => self.normal.extend([real(&mut rest), real(&mut rest), real(&mut rest)]),
            b"vt" if complete => self.texcoord.extend([real(&mut rest), real(&mut rest)]),
            b"f" if complete => {
                let polygon = self.corners(trim_start(rest))?;
                if self.shape.is_none() {
                    self.polygons.push(polygon);
                }
            }
            b"l" | b"p" if complete => {
                self.corners(rest)?;
                self.has_lines = true;
            }
            b"g" if complete => self.end_shape(false)?,
            b"o" if complete => self.end_shape(true)?,
            _ => {}
        }
        Ok(())
    }

    /// Cuts the polygons of the current group.
    fn flush(&mut self) -> Result<(), String> {
        for polygon in std::mem::take(&mut self.polygons) {
            self.triangulator.cut(polygon, &self.vert, &mut self.current)?;
        }
        Ok(())
    }

    /// Ends a shape; one without faces counts if it has lines or points and `o` ends it.
    fn end_shape(&mut self, count_lines: bool) -> Result<(), String> {
        self.flush()?;
        let has_lines = std::mem::take(&mut self.has_lines);
        let triangles = std::mem::take(&mut self.current);
        if self.shape.is_none() && (!triangles.is_empty() || count_lines && has_lines) {
            self.shape = Some(triangles);
        }
        Ok(())
    }

    /// The corners listed in the rest of a line.
    fn corners(&self, mut rest: &[u8]) -> Result<Vec<Corner>, String> {
        let mut corners = Vec::new();
        while !rest.is_empty() {
            corners.push(self.corner(&mut rest)?);
            rest = trim_start(rest);
        }
        Ok(corners)
    }

    /// One corner: `v`, `v/t`, `v//n` or `v/t/n`.
    fn corner(&self, rest: &mut &[u8]) -> Result<Corner, String> {
        let mut corner = Corner { vert: index(rest, self.vert.len() / 3)?, texcoord: -1, normal: -1 };
        if !skip_slash(rest) {
            return Ok(corner);
        }
        if skip_slash(rest) {
            corner.normal = index(rest, self.normal.len() / 3)?;
            return Ok(corner);
        }
        corner.texcoord = index(rest, self.texcoord.len() / 2)?;
        if skip_slash(rest) {
            corner.normal = index(rest, self.normal.len() / 3)?;
        }
        Ok(corner)
    }
}

/// An index from 0, made of one from 1 or of a negative one that counts back from the last element.
fn index(rest: &mut &[u8], count: usize) -> Result<i32, String> {
    let value = integer(rest);
    let end = rest.iter().position(|c| *c == b'/' || is_blank(*c)).unwrap_or(rest.len());
    *rest = &rest[end..];
    match value {
        0 => Err("expected indices: numbers from 1, or below 0 to count from the end".to_owned()),
        1.. => Ok(value - 1),
        _ => Ok((count as i32).wrapping_add(value)),
    }
}

fn skip_slash(rest: &mut &[u8]) -> bool {
    match rest.split_first() {
        Some((b'/', tail)) => {
            *rest = tail;
            true
        }
        _ => false,
    }
}

/// The lines of a file, whatever ends them; a line is over at a zero byte.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|c| *c == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let lines = lines.flat_map(|line| line.split(|c| *c == b'\r'));
    lines.map(|line| line.split(|c| *c == 0).next().unwrap_or_default())
}

fn is_blank(c: u8) -> bool {
    c == b' ' || c == b'\t'
}

fn trim_start(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|c| !is_blank(*c)).unwrap_or(line.len());
    &line[start..]
}

#[cfg(test)]
mod tests;
