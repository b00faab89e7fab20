//! A model as a tree of elements, to be changed and written again. Values stay as they are in the file, escaped.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write;

/// An element with what is in it; comments and text are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Name of the tag.
    pub name: String,
    /// Attributes in their order.
    pub attributes: Vec<(String, String)>,
    /// Elements inside, in their order.
    pub children: Vec<Self>,
}

impl Element {
    /// Reads the first element of a file; `None` when the file is not XML.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut reader = Reader::from_str(std::str::from_utf8(text).ok()?);
        let mut open: Vec<Self> = Vec::new();
        loop {
            let closed = match reader.read_event().ok()? {
                Event::Start(tag) => {
                    open.push(start(&tag)?);
                    continue;
                }
                Event::Empty(tag) => start(&tag)?,
                Event::End(_) => open.pop()?,
                Event::Eof => return None,
                _ => continue,
            };
            match open.last_mut() {
                Some(parent) => parent.children.push(closed),
                None => return Some(closed),
            }
        }
    }

    /// The element as text.
    pub fn write(&self) -> String {
        let mut out = String::new();
        // a stack of its own: mutants may be deeper than the one of the thread
        let mut todo = vec![(self, false)];
        while let Some((element, done)) = todo.pop() {
            if done {
                out.push_str("</");
                out.push_str(&element.name);
                out.push_str(">\n");
                continue;
            }
            out.push('<');
            out.push_str(&element.name);
            for (name, value) in &element.attributes {
                let quote = if value.contains('"') { '\'' } else { '"' };
                _ = write!(out, " {name}={quote}{value}{quote}");
            }
            if element.children.is_empty() {
                out.push_str("/>\n");
                continue;
            }
            out.push_str(">\n");
            todo.push((element, true));
            todo.extend(element.children.iter().rev().map(|child| (child, false)));
        }
        out
    }

    /// Number of elements, this one included.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }

    /// The element with this number, counted from the root in the order of the file.
    pub fn nth_mut(&mut self, n: usize) -> Option<&mut Self> {
        fn find<'e>(element: &'e mut Element, n: &mut usize) -> Option<&'e mut Element> {
            if *n == 0 {
                return Some(element);
            }
            *n -= 1;
            element.children.iter_mut().find_map(|child| find(child, n))
        }
        let mut n = n;
        find(self, &mut n)
    }

    /// The first element with this name, the root included.
    pub fn find_mut(&mut self, name: &str) -> Option<&mut Self> {
        if self.name == name {
            return Some(self);
        }
        self.children.iter_mut().find_map(|child| child.find_mut(name))
    }

    /// Sets or adds an attribute.
    pub fn set(&mut self, name: &str, value: String) {
        match self.attributes.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name.to_owned(), value)),
        }
    }
}

fn start(tag: &BytesStart<'_>) -> Option<Element> {
    let text = |bytes: &[u8]| Some(std::str::from_utf8(bytes).ok()?.to_owned());
    let mut element = Element { name: text(tag.name().as_ref())?, ..Element::default() };
    for attribute in tag.attributes() {
        let attribute = attribute.ok()?;
        element.attributes.push((text(attribute.key.as_ref())?, text(&attribute.value)?));
    }
    Some(element)
}
