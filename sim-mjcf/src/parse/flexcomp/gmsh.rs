//! Files of Gmsh, versions 2.2 and 4.1, as text and binary: one block of points and one of elements.
//!
//! Sections are found by their names; a number at the very end of a section, with nothing after it, counts as missing.

/// What a file gives.
#[derive(Debug, PartialEq)]
pub(super) struct Gmsh {
    pub(super) dim: i32,
    /// Three numbers per point.
    pub(super) point: Vec<f64>,
    /// `dim` + 1 points per element, from zero.
    pub(super) element: Vec<i32>,
}

/// Bytes of a block's header in version 4.1.
const HEADER_41: usize = 52;

/// Reads a file.
#[doc(alias = "mjCFlexcomp::LoadGMSH")]
pub(super) fn load(bytes: &[u8]) -> Result<Gmsh, String> {
    let Some(rest) = bytes.strip_prefix(b"$MeshFormat") else {
        return Err("a Gmsh file starts with $MeshFormat".to_owned());
    };
    let mut head = Words { bytes: rest };
    let (version, binary) = (head.real(), head.integer());
    let (Ok(version), Ok(binary)) = (version, binary) else {
        return Err("after $MeshFormat come the version and 0 for text or 1 for binary".to_owned());
    };
    let nodes = section(bytes, "$Nodes", "$EndNodes")?;
    let elements = section(bytes, "$Elements", "$EndElements")?;
    match ((100.0 * version).round() as i64, binary) {
        (410, 0) => text_41(nodes, elements),
        (410, _) => binary_41(nodes, elements),
        (220, 0) => text_22(nodes, elements),
        (220, _) => binary_22(nodes, elements),
        _ => Err(format!("versions 2.2 and 4.1 are read, not {version}")),
    }
}

/// The bytes between two names, without the line break after the first.
fn section<'a>(bytes: &'a [u8], begin: &str, end: &str) -> Result<&'a [u8], String> {
    let find = |name: &str| bytes.windows(name.len() + 1).position(|w| w.starts_with(name.as_bytes()));
    let start = find(begin).ok_or_else(|| format!("there is no {begin}"))? + begin.len() + 1;
    let stop = find(end).filter(|stop| *stop >= start);
    let stop = stop.ok_or_else(|| format!("there is no {end} after {begin}"))?;
    bytes.get(start..stop).ok_or_else(|| format!("{begin} is cut off"))
}

/// A block of version 4.1, nodes or elements.
struct Block {
    count: usize,
    min_tag: i64,
    max_tag: i64,
    dim: i64,
    /// Kind of element; not used for nodes.
    kind: i64,
}

impl Block {
    /// Checks a header: blocks, total, smallest and largest tag, dimension, entity, kind, number in the block.
    fn new(header: [i64; 8], what: &str, bytes: &[u8]) -> Result<Self, String> {
        let [blocks, total, min_tag, max_tag, dim, _, kind, inside] = header;
        if blocks != 1 || total != inside {
            return Err(format!("all {what} must be in one block"));
        }
        let count = usize::try_from(total).ok().filter(|n| *n < bytes.len());
        let count = count.ok_or_else(|| format!("{total} {what} do not fit into the section"))?;
        if !(1..=3).contains(&dim) {
            return Err(format!("{what} must be of dimension 1, 2 or 3, not {dim}"));
        }
        Ok(Self { count, min_tag, max_tag, dim, kind })
    }

    /// Checks that the block of elements goes with the block of nodes.
    fn check_elements(&self, nodes: &Self) -> Result<(), String> {
        if self.dim != nodes.dim {
            return Err(format!("elements of dimension {} between nodes of dimension {}", self.dim, nodes.dim));
        }
        if self.kind != [1, 2, 4][self.dim as usize - 1] {
            return Err(format!("element type {} does not go with dimension {}", self.kind, self.dim));
        }
        Ok(())
    }
}

fn text_41(nodes: &[u8], elements: &[u8]) -> Result<Gmsh, String> {
    let mut words = Words { bytes: nodes };
    let block = Block::new(words.header()?, "nodes", nodes)?;
    if usize::try_from(block.max_tag) != Ok(block.count) {
        return Err("the largest tag of a node must be the number of nodes".to_owned());
    }
    for i in 0..block.count {
        sequential(words.integer()?, i, &block)?;
    }
    let point = (0..3 * block.count).map(|_| words.real()).collect::<Result<_, _>>()?;

    let mut words = Words { bytes: elements };
    let block_of_elements = Block::new(words.header()?, "elements", elements)?;
    block_of_elements.check_elements(&block)?;
    let mut element = Vec::new();
    for _ in 0..block_of_elements.count {
        words.integer()?;
        for _ in 0..=block.dim {
            element.push(local(words.integer()?, block.min_tag));
        }
    }
    Ok(Gmsh { dim: block.dim as i32, point, element })
}

fn binary_41(nodes: &[u8], elements: &[u8]) -> Result<Gmsh, String> {
    let block = Block::new(header_41(nodes)?, "nodes", nodes)?;
    let start = HEADER_41 + 8 * block.count;
    for i in 0..block.count {
        sequential(long(nodes, HEADER_41 + 8 * i)?, i, &block)?;
    }
    let point = (0..3 * block.count).map(|i| real(nodes, start + 8 * i)).collect::<Result<_, _>>()?;

    let elements_block = Block::new(header_41(elements)?, "elements", elements)?;
    elements_block.check_elements(&block)?;
    let width = elements_block.dim as usize + 2;
    let mut element = Vec::new();
    for i in 0..elements_block.count {
        for k in 1..width {
            element.push(local(long(elements, HEADER_41 + 8 * (i * width + k))?, block.min_tag));
        }
    }
    Ok(Gmsh { dim: block.dim as i32, point, element })
}

fn header_41(bytes: &[u8]) -> Result<[i64; 8], String> {
    let [blocks, total, min, max] = [0, 8, 16, 24].map(|at| long(bytes, at));
    let [dim, tag, kind] = [32, 36, 40].map(|at| int(bytes, at).map(i64::from));
    Ok([blocks?, total?, min?, max?, dim?, tag?, kind?, long(bytes, 44)?])
}

fn text_22(nodes: &[u8], elements: &[u8]) -> Result<Gmsh, String> {
    let mut words = Words { bytes: nodes };
    let count = words.count("nodes")?;
    let mut point = Vec::new();
    for _ in 0..count {
        words.integer()?;
        for _ in 0..3 {
            point.push(words.real()?);
        }
    }

    let mut words = Words { bytes: elements };
    let total = words.count("elements")?;
    let mut element = Vec::new();
    let mut corners = 0;
    for i in 0..total {
        words.integer()?;
        let (kind, tags) = (words.integer()?, words.integer()?);
        if i == 0 {
            corners = corners_22(kind)?;
        }
        if tags > 0 {
            words.integer()?;
            words.integer()?;
        }
        for _ in 0..corners {
            element.push(node_22(words.integer()?, count)?);
        }
    }
    if corners == 0 {
        return Err("there are no elements".to_owned());
    }
    Ok(Gmsh { dim: corners - 1, point, element })
}

/// Version 2.2, binary, as Gmsh writes it (a header before every element) and as fTetWild does (one header for all).
fn binary_22(nodes: &[u8], elements: &[u8]) -> Result<Gmsh, String> {
    let (count, start) = count_22(nodes, "nodes")?;
    let mut point = Vec::new();
    for i in 0..count {
        for k in 0..3 {
            point.push(real(nodes, start + 28 * i + 4 + 8 * k)?);
        }
    }

    let (total, start) = count_22(elements, "elements")?;
    let corners = corners_22(int(elements, start)?.into())?;
    let gmsh = int(elements, start + 8)? > 0;
    if elements.len() < 20_usize.saturating_mul(total).saturating_add(17) {
        return Err("the elements are cut off".to_owned());
    }
    let mut element = Vec::new();
    for i in 0..total {
        let first = if gmsh { i * (6 + corners as usize) + 6 } else { 4 + 5 * i };
        // MuJoCo holds the tags of all but the first element against the number of elements
        let limit = if i == 0 { count } else { total };
        for k in 0..corners as usize {
            element.push(node_22(int(elements, start + 4 * (first + k))?.into(), limit)?);
        }
    }
    Ok(Gmsh { dim: corners - 1, point, element })
}

/// The decimal number at the start of a binary section, and where the data after it starts.
fn count_22(bytes: &[u8], what: &str) -> Result<(usize, usize), String> {
    let head = &bytes[..bytes.len().min(10)];
    let length = head.iter().position(|b| *b == 0).unwrap_or(head.len());
    let digits: String = head.iter().map(|b| char::from(*b)).take_while(char::is_ascii_digit).collect();
    let count: i32 = digits.parse().map_err(|_| format!("the number of {what} is missing"))?;
    let count = usize::try_from(count).ok().filter(|n| *n < bytes.len());
    let count = count.ok_or_else(|| format!("the {what} are cut off"))?;
    Ok((count, length.saturating_sub(1)))
}

/// Corners of an element of version 2.2: triangles and tetrahedra.
fn corners_22(kind: i64) -> Result<i32, String> {
    match kind {
        2 => Ok(3),
        4 => Ok(4),
        _ => Err(format!("element type {kind}: only triangles (2) and tetrahedra (4) are read")),
    }
}

/// A node from its tag, which starts at one.
fn node_22(tag: i64, count: usize) -> Result<i32, String> {
    match usize::try_from(tag) {
        Ok(id) if id >= 1 && id <= count => Ok(id as i32 - 1),
        _ => Err(format!("an element refers to node {tag}, which does not exist")),
    }
}

/// A node from its tag; what does not fit points to nothing.
fn local(tag: i64, min_tag: i64) -> i32 {
    tag.checked_sub(min_tag).and_then(|id| i32::try_from(id).ok()).unwrap_or(-1)
}

fn sequential(tag: i64, i: usize, block: &Block) -> Result<(), String> {
    if tag.checked_sub(block.min_tag) == Some(i as i64) { Ok(()) } else { Err("node tags must be in order".to_owned()) }
}

fn at<const N: usize>(bytes: &[u8], start: usize) -> Result<[u8; N], String> {
    let found = bytes.get(start..).and_then(|rest| rest.first_chunk());
    found.copied().ok_or_else(|| "the data ends too early".to_owned())
}

fn int(bytes: &[u8], start: usize) -> Result<i32, String> {
    at(bytes, start).map(i32::from_le_bytes)
}

fn long(bytes: &[u8], start: usize) -> Result<i64, String> {
    at(bytes, start).map(i64::from_le_bytes)
}

fn real(bytes: &[u8], start: usize) -> Result<f64, String> {
    at(bytes, start).map(f64::from_le_bytes)
}

/// Numbers of a text section.
struct Words<'a> {
    bytes: &'a [u8],
}

impl Words<'_> {
    fn word(&mut self) -> Result<&str, String> {
        let start = self.bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(self.bytes.len());
        let rest = &self.bytes[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace).ok_or("a section ends too early")?;
        self.bytes = &rest[end..];
        std::str::from_utf8(&rest[..end]).map_err(|_| "a number is not text".to_owned())
    }

    fn integer(&mut self) -> Result<i64, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("'{word}' is not an integer"))
    }

    fn real(&mut self) -> Result<f64, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("'{word}' is not a number"))
    }

    fn header(&mut self) -> Result<[i64; 8], String> {
        let mut header = [0; 8];
        for number in &mut header {
            *number = self.integer()?;
        }
        Ok(header)
    }

    /// The number that stands alone on the first line.
    fn count(&mut self, what: &str) -> Result<usize, String> {
        let line = self.bytes.iter().take_while(|b| **b != b'\n');
        if !line.clone().all(u8::is_ascii_digit) {
            return Err(format!("the first line must be the number of {what}"));
        }
        let size = self.bytes.len();
        let count = usize::try_from(self.integer()?).ok().filter(|n| *n < size);
        count.ok_or_else(|| format!("more {what} than the section holds"))
    }
}
