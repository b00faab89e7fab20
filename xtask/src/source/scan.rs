//! What one Rust source file contains, read from its tokens.
//!
//! Tokens, not text: comments and strings cannot be mistaken for code. Tokens, not a syntax tree: code inside macro
//! calls (`proptest!`, our array tables) is seen like any other. The compiler has already accepted the file, so the
//! walk may be simple about where an item ends.

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// Everything the rules ask about a file.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Calls and macros that panic, outside tests.
    pub(crate) panics: Vec<Hit>,
    /// `unsafe`, outside tests.
    pub(crate) unsafes: Vec<Hit>,
    /// Modules of std that need an operating system, outside tests and `cfg`.
    pub(crate) host: Vec<Hit>,
    /// `allow` and `expect` attributes that give no reason.
    pub(crate) bare_allows: Vec<Hit>,
    /// `#[ignore]` that gives no reason.
    pub(crate) bare_ignores: Vec<Hit>,
    /// Every function with a body.
    pub(crate) functions: Vec<Function>,
    /// Modules kept in other files.
    pub(crate) modules: Vec<ModuleDecl>,
}

/// Something found on a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Line, from 1.
    pub(crate) line: usize,
    /// The thing, as it is written.
    pub(crate) what: String,
}

/// A function and its size.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// Line of the word `fn`.
    pub(crate) line: usize,
    /// Lines from `fn` to the closing brace.
    pub(crate) lines: usize,
    /// Arguments, `self` included.
    pub(crate) args: usize,
    /// Whether it is test code.
    pub(crate) test: bool,
}

/// `mod name;`
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ModuleDecl {
    /// Inline modules around it, outermost first.
    pub(crate) inside: Vec<String>,
    /// Its name.
    pub(crate) name: String,
    /// The value of a `#[path]` attribute.
    pub(crate) path: Option<String>,
    /// Whether it is compiled for tests only.
    pub(crate) test: bool,
}

const PANIC_METHODS: [&str; 4] = ["unwrap", "expect", "unwrap_err", "expect_err"];
const PANIC_MACROS: [&str; 5] = ["panic", "todo", "unimplemented", "unreachable", "dbg"];
const HOST_MODULES: [&str; 6] = ["fs", "thread", "time", "process", "env", "net"];

/// Scans the text of one file.
pub(crate) fn scan(text: &str) -> Result<Scan> {
    let stream: TokenStream =
        text.parse().map_err(|e: proc_macro2::LexError| anyhow!("line {}: {e}", e.span().start().line))?;
    let mut out = Scan::default();
    walk(stream, Context::default(), &mut out);
    Ok(out)
}

/// What is known about the code around a token.
#[derive(Clone, Default)]
struct Context {
    test: bool,
    cfg: bool,
    inside: Vec<String>,
}

/// The attributes waiting for their item.
#[derive(Default)]
struct Pending {
    test: bool,
    cfg: bool,
    path: Option<String>,
    // how far into the item we are, to know its end
    angle: i32,
    where_seen: bool,
}

fn walk(stream: TokenStream, mut context: Context, out: &mut Scan) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut pending = Pending::default();
    let mut i = 0;
    while i < tokens.len() {
        if let Some((attribute, inner, used)) = attribute(&tokens[i..]) {
            let mut here = Pending::default();
            read_attribute(attribute, &mut here, out);
            if inner {
                context.test |= here.test;
                context.cfg |= here.cfg;
            } else {
                pending.test |= here.test;
                pending.cfg |= here.cfg;
                pending.path = here.path.or(pending.path);
                pending.angle = 0;
            }
            i += used;
            continue;
        }

        let now = Context {
            test: context.test || pending.test,
            cfg: context.cfg || pending.cfg,
            inside: context.inside.clone(),
        };
        look(&tokens[i..], i.checked_sub(1).map(|k| &tokens[k]), &now, &pending, out);
        if let TokenTree::Group(group) = &tokens[i] {
            let mut deeper = now;
            if let Some(name) = inline_module(&tokens[..i]).filter(|_| group.delimiter() == Delimiter::Brace) {
                deeper.inside.push(name);
            }
            walk(group.stream(), deeper, out);
        }
        if ends_item(&tokens, i, &mut pending) {
            pending = Pending::default();
        }
        i += 1;
    }
}

/// The attribute at the head of `tokens`: its content, whether it is an inner one, and how many tokens it takes.
fn attribute(tokens: &[TokenTree]) -> Option<(&Group, bool, usize)> {
    let bracket = |t: Option<&TokenTree>| is_group(t, Delimiter::Bracket);
    if !is_punct(tokens.first(), '#') {
        return None;
    }
    if is_punct(tokens.get(1), '!') && bracket(tokens.get(2)) {
        return group(tokens.get(2)).map(|g| (g, true, 3));
    }
    bracket(tokens.get(1)).then(|| group(tokens.get(1)).map(|g| (g, false, 2)))?
}

fn read_attribute(attribute: &Group, pending: &mut Pending, out: &mut Scan) {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let arguments = group(tokens.get(1)).map(Group::stream).unwrap_or_default();
    match ident(tokens.first()).as_deref() {
        Some("test" | "bench") => pending.test = true,
        Some("cfg") => {
            pending.cfg = true;
            pending.test |= is_test_only(arguments);
        }
        Some("path") => pending.path = tokens.last().map(|t| t.to_string().trim_matches('"').to_owned()),
        Some("ignore") if tokens.len() == 1 => {
            out.bare_ignores.push(Hit { line: line(&tokens[0]), what: "#[ignore]".to_owned() });
        }
        _ => {}
    }
    find_bare_allows(&tokens, out);
}

/// Finds `allow(..)` and `expect(..)` without `reason`, also inside `cfg_attr`.
fn find_bare_allows(tokens: &[TokenTree], out: &mut Scan) {
    for (k, token) in tokens.iter().enumerate() {
        let Some(arguments) = group(tokens.get(k + 1)) else { continue };
        let reasoned = || arguments.stream().into_iter().any(|t| ident(Some(&t)).as_deref() == Some("reason"));
        match ident(Some(token)).as_deref() {
            Some(word @ ("allow" | "expect")) if !reasoned() => {
                out.bare_allows.push(Hit { line: line(token), what: format!("{word}{arguments}") });
            }
            Some("cfg_attr") => find_bare_allows(&arguments.stream().into_iter().collect::<Vec<_>>(), out),
            _ => {}
        }
    }
}

/// Whether a `cfg` predicate can hold only when testing.
fn is_test_only(predicate: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = predicate.into_iter().collect();
    let inner = |t: Option<&TokenTree>| -> Vec<TokenStream> { group(t).map(split_commas).unwrap_or_default() };
    match ident(tokens.first()).as_deref() {
        Some("test") => true,
        Some("all") => inner(tokens.get(1)).into_iter().any(is_test_only),
        Some("any") => {
            let parts = inner(tokens.get(1));
            !parts.is_empty() && parts.into_iter().all(is_test_only)
        }
        _ => false,
    }
}

/// Looks at the token at the head of `tokens` and records what it begins.
fn look(tokens: &[TokenTree], before: Option<&TokenTree>, now: &Context, pending: &Pending, out: &mut Scan) {
    let Some(word) = ident(tokens.first()) else { return };
    let hit = |what: String| Hit { line: line(&tokens[0]), what };
    let word = word.as_str();

    // `.unwrap()`, `Option::unwrap`
    let called = is_punct(before, '.') && is_group(tokens.get(1), Delimiter::Parenthesis);
    if !now.test && PANIC_METHODS.contains(&word) && (called || is_punct(before, ':')) {
        out.panics.push(hit(word.to_owned()));
    }
    // `panic!(..)`, but not `panic != ..`
    let is_macro = is_punct(tokens.get(1), '!') && group(tokens.get(2)).is_some();
    if !now.test && PANIC_MACROS.contains(&word) && is_macro {
        out.panics.push(hit(format!("{word}!")));
    }
    if !now.test && word == "unsafe" {
        out.unsafes.push(hit(word.to_owned()));
    }
    if word == "std" && !now.test && !now.cfg {
        out.host.extend(host_modules(tokens).into_iter().map(|m| hit(format!("std::{m}"))));
    }
    if word == "fn" {
        out.functions.extend(function(tokens, now.test));
    }
    if word == "mod"
        && is_punct(tokens.get(2), ';')
        && let Some(name) = ident(tokens.get(1))
    {
        let (inside, path) = (now.inside.clone(), pending.path.clone());
        out.modules.push(ModuleDecl { inside, name, path, test: now.test });
    }
}

/// The modules named in `std::fs` or `std::{fs, io}` that need an operating system.
fn host_modules(tokens: &[TokenTree]) -> Vec<String> {
    if !(is_punct(tokens.get(1), ':') && is_punct(tokens.get(2), ':')) {
        return Vec::new();
    }
    let names: Vec<String> = match tokens.get(3) {
        Some(TokenTree::Group(list)) => {
            split_commas(list).into_iter().filter_map(|part| ident(part.into_iter().next().as_ref())).collect()
        }
        other => ident(other).into_iter().collect(),
    };
    names.into_iter().filter(|n| HOST_MODULES.contains(&n.as_str())).collect()
}

/// The function whose `fn` heads `tokens`, if it has a name and a body.
fn function(tokens: &[TokenTree], test: bool) -> Option<Function> {
    let name = ident(tokens.get(1))?;
    // generics may hold parentheses of their own: `<F: Fn(f64) -> f64>`
    let mut angle = 0;
    let open = (2..tokens.len()).find(|&k| {
        angle += angle_step(tokens, k);
        angle == 0 && is_group(tokens.get(k), Delimiter::Parenthesis)
    })?;
    let args = split_commas(group(tokens.get(open))?).len();
    let end = tokens[open..].iter().find(|t| is_punct(Some(t), ';') || is_group(Some(t), Delimiter::Brace))?;
    let last = group(Some(end))?.span_close().end().line;
    let first = line(&tokens[0]);
    Some(Function { name, line: first, lines: last + 1 - first, args, test })
}

/// The name in `mod name` at the end of `before`, whose brace comes next.
fn inline_module(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., word, name] if ident(Some(word)).as_deref() == Some("mod") => ident(Some(name)),
        _ => None,
    }
}

/// Whether token `i` is the last of the item that the pending attributes belong to.
fn ends_item(tokens: &[TokenTree], i: usize, pending: &mut Pending) -> bool {
    pending.angle += angle_step(tokens, i);
    pending.where_seen |= ident(tokens.get(i)).as_deref() == Some("where");
    let token = tokens.get(i);
    // a comma ends a field, a variant or a match arm; one in generics or in a `where` clause ends nothing
    is_punct(token, ';')
        || is_group(token, Delimiter::Brace)
        || (is_punct(token, ',') && pending.angle <= 0 && !pending.where_seen)
}

/// How token `i` changes the depth of angle brackets: `->` and `=>` do not.
fn angle_step(tokens: &[TokenTree], i: usize) -> i32 {
    let arrow = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if matches!(p.as_char(), '-' | '=') && p.spacing() == Spacing::Joint);
    match tokens.get(i) {
        Some(TokenTree::Punct(p)) if p.as_char() == '<' => 1,
        Some(TokenTree::Punct(p)) if p.as_char() == '>' && !(i > 0 && arrow(&tokens[i - 1])) => -1,
        _ => 0,
    }
}

/// The parts of a group between its commas; commas inside angle brackets do not count, nor does a trailing one.
fn split_commas(group: &Group) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let mut parts: Vec<Vec<TokenTree>> = vec![Vec::new()];
    let mut angle = 0;
    for (i, token) in tokens.iter().enumerate() {
        angle += angle_step(&tokens, i);
        if is_punct(Some(token), ',') && angle == 0 {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(token.clone());
        }
    }
    parts.into_iter().filter(|p| !p.is_empty()).map(|p| p.into_iter().collect()).collect()
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn group(token: Option<&TokenTree>) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) => Some(group),
        _ => None,
    }
}

fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    group(token).is_some_and(|g| g.delimiter() == delimiter)
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

#[cfg(test)]
mod tests;
