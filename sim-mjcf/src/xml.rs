//! Elements and attributes with their places.
//!
//! quick-xml finds the tags; what is inside a tag is read here, because MJCF in the wild was written against a lenient
//! parser: no blank is needed between attributes, a lone `&` is text, anything may follow the root element. What that
//! parser refuses is refused here too: repeated attributes, processing instructions inside the document, elements nested
//! deeper than [`MAX_DEPTH`].
//!
//! Nodes live in one `Vec` and refer to each other by index, so neither reading nor dropping a document recurses.
//! An `<include>` stays in the tree with the included elements as its children; [`Element::children`] looks through it.

use crate::error::{Location, MjcfErrorKind, Problem};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::HashSet;
use std::sync::Arc;

/// Deepest element that may have content, the root being 1.
pub(crate) const MAX_DEPTH: usize = 498;

/// All elements of a model, included files among them.
#[derive(Debug, Default)]
pub(crate) struct Document {
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    files: Vec<Arc<str>>,
}

/// Index of an element in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// An attribute as written, entities decoded.
#[derive(Debug)]
pub(crate) struct Attribute {
    /// Name.
    pub(crate) name: Box<str>,
    /// Value.
    pub(crate) value: Box<str>,
    line: u32,
    column: u32,
}

#[derive(Debug)]
struct Node {
    name: Box<str>,
    file: u32,
    line: u32,
    column: u32,
    attributes: (u32, u32),
    parent: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    next: Option<NodeId>,
    /// Has comments or text inside, beside elements.
    mixed: bool,
}

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'d> {
    pub(crate) doc: &'d Document,
    /// Its index.
    pub(crate) id: NodeId,
}

impl Document {
    /// Reads a file into the document and returns its root; `None` if there is no element.
    pub(crate) fn parse(&mut self, file: &str, text: &[u8]) -> Result<Option<NodeId>, Problem> {
        let file_index = self.files.len() as u32;
        let file: Arc<str> = file.into();
        self.files.push(file.clone());
        Parser { doc: self, file, file_index, places: Places::new(text), open: Vec::new(), root: None }.run(text)
    }

    /// The element with index `id`.
    pub(crate) fn element(&self, id: NodeId) -> Element<'_> {
        Element { doc: self, id }
    }

    /// Moves the children of `from` to the end of `to`.
    pub(crate) fn adopt(&mut self, from: NodeId, to: NodeId) {
        let mut child = std::mem::take(&mut self.node_mut(from).first);
        self.node_mut(from).last = None;
        while let Some(id) = child {
            child = std::mem::take(&mut self.node_mut(id).next);
            self.append(to, id);
        }
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.node_mut(child).parent = Some(parent);
        match self.node(parent).last {
            Some(last) => self.node_mut(last).next = Some(child),
            None => self.node_mut(parent).first = Some(child),
        }
        self.node_mut(parent).last = Some(child);
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }
}

impl<'d> Element<'d> {
    /// Name of the element.
    pub(crate) fn name(self) -> &'d str {
        &self.node().name
    }

    /// Where it starts.
    pub(crate) fn at(self) -> Location {
        self.place(self.node().line, self.node().column)
    }

    /// Its attributes, in order.
    pub(crate) fn attributes(self) -> &'d [Attribute] {
        let (start, end) = self.node().attributes;
        &self.doc.attributes[start as usize..end as usize]
    }

    /// The value of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Option<&'d str> {
        self.attributes().iter().find(|a| &*a.name == name).map(|a| &*a.value)
    }

    /// Where an attribute starts; the place of the element if there is none.
    pub(crate) fn attribute_at(self, name: &str) -> Location {
        let found = self.attributes().iter().find(|a| &*a.name == name);
        found.map_or_else(|| self.at(), |a| self.place(a.line, a.column))
    }

    /// Child elements; those of an `<include>` take its place.
    pub(crate) fn children(self) -> impl Iterator<Item = Element<'d>> {
        let mut next = self.node().first;
        std::iter::from_fn(move || {
            loop {
                let child = self.doc.element(next?);
                if child.name() == "include" {
                    // go in, or over it if nothing is inside
                    next = child.node().first.or_else(|| self.after(child));
                } else {
                    next = self.after(child);
                    return Some(child);
                }
            }
        })
    }

    /// Child elements as they stand in the file.
    pub(crate) fn raw_children(self) -> impl Iterator<Item = Element<'d>> {
        std::iter::successors(self.node().first, move |&id| self.doc.node(id).next).map(move |id| self.doc.element(id))
    }

    /// The element it stands in.
    pub(crate) fn parent(self) -> Option<NodeId> {
        self.node().parent
    }

    /// True if there are comments or text inside.
    pub(crate) fn is_mixed(self) -> bool {
        self.node().mixed
    }

    /// The node after `child`, leaving includes but not `self`.
    fn after(self, mut child: Element<'d>) -> Option<NodeId> {
        loop {
            if let Some(next) = child.node().next {
                return Some(next);
            }
            child = self.doc.element(child.node().parent.filter(|&p| p != self.id)?);
        }
    }

    fn place(self, line: u32, column: u32) -> Location {
        Location { file: self.doc.files[self.node().file as usize].clone(), line, column }
    }

    fn node(self) -> &'d Node {
        self.doc.node(self.id)
    }
}

/// State while one file is read.
struct Parser<'p, 't> {
    doc: &'p mut Document,
    file: Arc<str>,
    file_index: u32,
    places: Places<'t>,
    open: Vec<NodeId>,
    root: Option<NodeId>,
}

impl<'t> Parser<'_, 't> {
    fn run(mut self, text: &'t [u8]) -> Result<Option<NodeId>, Problem> {
        let (text, start) = self.prepare(text)?;
        let mut reader = Reader::from_reader(&text[start..]);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        config.trim_markup_names_in_closing_tags = false;

        let mut only_declarations = true;
        let mut dangling_text = None;
        loop {
            let begin = start + reader.buffer_position() as usize;
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let place = start + reader.error_position() as usize;
                    return Err(self.problem(place, &error.to_string()));
                }
            };
            let end = start + reader.buffer_position() as usize;
            match event {
                Event::Start(tag) if !is_closing(&tag) => {
                    let node = self.tag(&tag, end - 1 - tag.len())?;
                    if self.open.len() >= MAX_DEPTH {
                        return Err(self.problem(begin, &format!("elements are nested deeper than {MAX_DEPTH}")));
                    }
                    self.open.push(node);
                }
                Event::Empty(tag) => {
                    self.tag(&tag, end - 2 - tag.len())?;
                }
                // '</a/>' is an element: its second slash counts
                Event::End(tag) if tag.ends_with(b"/") => {
                    self.tag(&tag[..tag.len() - 1], end - 1 - tag.len())?;
                }
                Event::End(tag) => {
                    // a closing tag without an element ends the document
                    if !self.close(&tag, end - 1 - tag.len())? {
                        return Ok(self.root);
                    }
                }
                Event::Start(tag) => {
                    let slash = tag.iter().position(|&b| b == b'/').unwrap_or_default();
                    if !self.close(&tag[slash + 1..], end - tag.len() + slash)? {
                        return Ok(self.root);
                    }
                }
                Event::Decl(_) | Event::PI(_) if only_declarations => continue,
                Event::Decl(_) | Event::PI(_) => {
                    return Err(self.problem(begin, "'<?…?>' is only allowed at the start of the file"));
                }
                Event::Text(blank) if blank.iter().all(u8::is_ascii_whitespace) => continue,
                Event::Text(_) | Event::GeneralRef(_) => {
                    self.mark_mixed();
                    dangling_text = Some(begin);
                    only_declarations = false;
                    continue;
                }
                Event::Comment(_) | Event::CData(_) | Event::DocType(_) => self.mark_mixed(),
                Event::Eof => break,
            }
            only_declarations = false;
            dangling_text = None;
        }

        self.finish(dangling_text)
    }

    /// The part of a file that counts, and where in it the XML starts.
    fn prepare(&mut self, text: &'t [u8]) -> Result<(&'t [u8], usize), Problem> {
        if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
            return Err(self.problem(0, "the file is in UTF-16; save it as UTF-8"));
        }
        if text.len() as u64 > crate::source::MAX_FILE {
            return Err(self.problem(0, "the file is larger than 2 GiB"));
        }
        // what follows a zero byte does not count; a byte order mark may follow blanks
        let text = text.split(|&b| b == 0).next().unwrap_or_default();
        let blanks = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let start = if text[blanks..].starts_with(b"\xef\xbb\xbf") { blanks + 3 } else { 0 };
        Ok((text, start))
    }

    /// The root, if everything is closed; `dangling_text` is where text starts that no tag follows.
    fn finish(mut self, dangling_text: Option<usize>) -> Result<Option<NodeId>, Problem> {
        if let Some(&open) = self.open.last() {
            let element = self.doc.element(open);
            let message = format!("the file ends inside <{}>; '</{}>' is missing", element.name(), element.name());
            return Err(Problem { at: element.at(), kind: MjcfErrorKind::Syntax { message } });
        }
        match dangling_text {
            Some(place) => Err(self.problem(place, "text after the last element")),
            None => Ok(self.root),
        }
    }

    /// Adds the element of an opening tag; `offset` is where the tag's content starts.
    fn tag(&mut self, content: &[u8], offset: usize) -> Result<NodeId, Problem> {
        let blanks = content.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let name = self.name(content, blanks, offset)?;
        let (line, column) = self.places.at(offset.saturating_sub(1));
        let first = self.doc.attributes.len() as u32;
        self.attributes(content, blanks + name.len(), offset)?;

        let id = NodeId(self.doc.nodes.len() as u32);
        self.doc.nodes.push(Node {
            name: name.into(),
            file: self.file_index,
            line,
            column,
            attributes: (first, self.doc.attributes.len() as u32),
            parent: None,
            first: None,
            last: None,
            next: None,
            mixed: false,
        });
        match self.open.last() {
            Some(&parent) => self.doc.append(parent, id),
            None => self.root = self.root.or(Some(id)),
        }
        Ok(id)
    }

    /// Closes the innermost element; false if there is none. Attributes after the name have no effect.
    fn close(&mut self, content: &[u8], offset: usize) -> Result<bool, Problem> {
        let name = self.name(content, 0, offset)?;
        let attributes = self.doc.attributes.len();
        self.attributes(content, name.len(), offset)?;
        self.doc.attributes.truncate(attributes);
        let Some(open) = self.open.pop() else { return Ok(false) };
        let element = self.doc.element(open);
        if element.name() != name {
            let message = format!("'</{name}>' closes <{}>, opened at {}", element.name(), element.at());
            return Err(self.problem(offset - 2, &message));
        }
        Ok(true)
    }

    /// Reads the attributes of a tag from byte `i` of its content.
    fn attributes(&mut self, content: &[u8], mut i: usize, offset: usize) -> Result<(), Problem> {
        let first = self.doc.attributes.len();
        let mut seen: HashSet<Box<str>> = HashSet::new();
        let skip = |mut i: usize| {
            while content.get(i).is_some_and(u8::is_ascii_whitespace) {
                i += 1;
            }
            i
        };
        loop {
            i = skip(i);
            if i >= content.len() {
                return Ok(());
            }
            let begin = i;
            let name = self.name(content, i, offset)?;
            i = skip(i + name.len());
            if content.get(i) != Some(&b'=') {
                return Err(self.problem(offset + begin, &format!("attribute '{name}' has no value")));
            }
            i = skip(i + 1);
            let Some(&quote @ (b'"' | b'\'')) = content.get(i) else {
                return Err(self.problem(offset + i, &format!("the value of '{name}' must be in quotes")));
            };
            let Some(len) = content[i + 1..].iter().position(|&b| b == quote) else {
                return Err(self.problem(offset + i, &format!("the value of '{name}' has no closing quote")));
            };
            // few attributes are compared one by one; many, which only a hostile file has, by hash
            let so_far = &self.doc.attributes[first..];
            let repeated = if so_far.len() < 32 {
                so_far.iter().any(|a| &*a.name == name)
            } else {
                if seen.is_empty() {
                    seen.extend(so_far.iter().map(|a| a.name.clone()));
                }
                !seen.insert(name.into())
            };
            if repeated {
                return Err(self.problem(offset + begin, &format!("attribute '{name}' is given twice")));
            }
            let value = decode(&content[i + 1..i + 1 + len])
                .map_err(|message| self.problem(offset + i + 1, &format!("the value of '{name}' {message}")))?;
            let (line, column) = self.places.at(offset + begin);
            self.doc.attributes.push(Attribute { name: name.into(), value: value.into(), line, column });
            i += len + 2;
        }
    }

    /// The name that starts at byte `start` of a tag's content.
    fn name<'c>(&mut self, content: &'c [u8], start: usize, offset: usize) -> Result<&'c str, Problem> {
        let is_start = |b: u8| b.is_ascii_alphabetic() || b == b'_' || b == b':' || b >= 128;
        let rest = content.get(start..).unwrap_or_default();
        if !rest.first().is_some_and(|&b| is_start(b)) {
            return Err(self.problem(offset + start, "expected a name"));
        }
        let is_name = |b: u8| is_start(b) || b.is_ascii_digit() || b == b'.' || b == b'-';
        let len = rest.iter().position(|&b| !is_name(b)).unwrap_or(rest.len());
        std::str::from_utf8(&rest[..len]).map_err(|_| self.problem(offset + start, "the name is not UTF-8"))
    }

    fn mark_mixed(&mut self) {
        if let Some(&open) = self.open.last() {
            self.doc.node_mut(open).mixed = true;
        }
    }

    fn problem(&mut self, offset: usize, message: &str) -> Problem {
        let (line, column) = self.places.at(offset);
        let kind = MjcfErrorKind::Syntax { message: message.to_owned() };
        Problem { at: Location { file: self.file.clone(), line, column }, kind }
    }
}

/// True for the content of a closing tag with blanks before its slash.
fn is_closing(content: &[u8]) -> bool {
    content.trim_ascii_start().starts_with(b"/")
}

/// Line and column of byte offsets; cheap when offsets come in order.
struct Places<'t> {
    text: &'t [u8],
    offset: usize,
    line: u32,
    column: u32,
}

impl<'t> Places<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, offset: 0, line: 1, column: 1 }
    }

    fn at(&mut self, offset: usize) -> (u32, u32) {
        if offset < self.offset {
            *self = Self::new(self.text);
        }
        let end = offset.min(self.text.len());
        for &byte in &self.text[self.offset..end] {
            if byte == b'\n' {
                self.line += 1;
                self.column = 1;
            } else if byte & 0xC0 != 0x80 {
                // the second and later bytes of a character do not count
                self.column += 1;
            }
        }
        self.offset = end;
        (self.line, self.column)
    }
}

/// An attribute value with line ends normalised and entities replaced; unknown entities stay as they are.
fn decode(raw: &[u8]) -> Result<String, &'static str> {
    let text = std::str::from_utf8(raw).map_err(|_| "is not UTF-8")?;
    if !text.contains(['&', '\r']) {
        return Ok(text.to_owned());
    }
    let text = text.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(amp) = rest.find('&') {
        let (before, after) = rest.split_at(amp);
        out.push_str(before);
        let (decoded, len) = entity(after)?;
        if decoded == '\0' {
            // a zero character ends the value
            return Ok(out);
        }
        out.push(decoded);
        rest = &after[len..];
    }
    out.push_str(rest);
    Ok(out)
}

/// The character that the entity at the start of `text` stands for and the entity's length; `&` itself if it is none.
fn entity(text: &str) -> Result<(char, usize), &'static str> {
    const NAMED: [(&str, char); 5] = [("&quot;", '"'), ("&amp;", '&'), ("&apos;", '\''), ("&lt;", '<'), ("&gt;", '>')];
    if let Some((name, c)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Ok((*c, name.len()));
    }

    // a code with more than eight digits is beyond Unicode: not worth looking for its end
    let bytes = text.as_bytes();
    let verbatim = Ok(('&', 1));
    let hex = bytes.get(2) == Some(&b'x');
    let first = if hex { 3 } else { 2 };
    if bytes.get(1) != Some(&b'#') {
        return verbatim;
    }
    let mut code: u32 = 0;
    for (i, &byte) in bytes.iter().enumerate().skip(first) {
        if byte == b';' {
            return char::from_u32(code).map(|c| (c, i + 1)).ok_or("holds a surrogate character");
        }
        let Some(digit) = (byte as char).to_digit(if hex { 16 } else { 10 }) else { return verbatim };
        code = code * if hex { 16 } else { 10 } + digit;
        if code > 0x10FFFF {
            return verbatim;
        }
    }
    verbatim
}

#[cfg(test)]
mod tests;
