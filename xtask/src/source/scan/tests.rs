//! Sources in, findings out.

use super::*;

fn panics(text: &str) -> Vec<(usize, String)> {
    scan(text).unwrap().panics.into_iter().map(|h| (h.line, h.what)).collect()
}

fn at(line: usize, what: &str) -> (usize, String) {
    (line, what.to_owned())
}

#[test]
fn library_code_may_not_unwrap() {
    assert_eq!(panics("fn f(x: Option<u8>) -> u8 {\n    x.unwrap()\n}\n"), [at(2, "unwrap")]);
    assert_eq!(panics("fn f() { g().expect(\"g\"); }"), [at(1, "expect")]);
    assert_eq!(panics("fn f() { v.map(Option::unwrap); }"), [at(1, "unwrap")]);
}

#[test]
fn every_panicking_macro_is_seen() {
    let text = "fn f() { panic!(); todo!(); std::unimplemented!(\"x\"); dbg!(1); unreachable! {} }";
    let want = ["panic!", "todo!", "unimplemented!", "dbg!", "unreachable!"];
    assert_eq!(panics(text).into_iter().map(|p| p.1).collect::<Vec<_>>(), want);
}

#[test]
fn words_that_only_look_alike_pass() {
    assert_eq!(panics("// x.unwrap()\n/// a.unwrap(); panic!()\nfn f() { let s = \".unwrap() panic!()\"; }"), []);
    assert_eq!(panics("fn f() { x.unwrap_or(1); x.unwrap_or_default(); let unwrap = 1; panic != todo }"), []);
    assert_eq!(panics("#[expect(dead_code, reason = \"x\")] fn f() {}"), []);
}

#[test]
fn tests_may_unwrap() {
    assert_eq!(panics("#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { x.unwrap(); }\n}"), []);
    assert_eq!(panics("#[test]\nfn t() { x.unwrap(); }"), []);
    assert_eq!(panics("#[cfg(all(test, feature = \"parallel\"))]\nfn t() { x.unwrap(); }"), []);
    assert_eq!(panics("#![cfg(test)]\nfn t() { x.unwrap(); }"), []);
    assert_eq!(panics("#[cfg(test)]\nuse a::{b, c};\n#[cfg(test)]\nfn t() where A: B, C: D { x.unwrap(); }"), []);
}

#[test]
fn code_after_a_test_item_is_library_code_again() {
    assert_eq!(panics("#[cfg(test)]\nmod tests { }\nfn f() { x.unwrap(); }"), [at(3, "unwrap")]);
    assert_eq!(panics("#[cfg(test)]\nuse a::b;\nfn f() { x.unwrap(); }"), [at(3, "unwrap")]);
    assert_eq!(panics("match y { #[cfg(test)] A => 1, B => x.unwrap() }"), [at(1, "unwrap")]);
    assert_eq!(panics("struct S { #[cfg(test)] a: Map<A, B>, b: [u8; panic!()] }"), [at(1, "panic!")]);
}

#[test]
fn a_cfg_that_can_hold_without_tests_excuses_nothing() {
    assert_eq!(panics("#[cfg(not(test))]\nfn f() { x.unwrap(); }"), [at(2, "unwrap")]);
    assert_eq!(panics("#[cfg(any(test, feature = \"a\"))]\nfn f() { x.unwrap(); }"), [at(2, "unwrap")]);
}

#[test]
fn macro_arguments_are_read_like_other_code() {
    assert_eq!(panics("fn f() {\n    assert_eq!(\n        x.unwrap(), 1);\n}"), [at(3, "unwrap")]);
    assert_eq!(panics("macro_rules! m { ($x:expr) => { $x.unwrap() } }"), [at(1, "unwrap")]);
}

#[test]
fn functions_are_measured_from_fn_to_brace() {
    let text = "/// Doc.\n#[inline]\npub fn f<F: Fn(f64, f64) -> f64>(\n    a: Map<A, B>,\n    g: fn(u8, u8) -> u8,\n) -> u8\n{\n    1\n}\n";
    let found = scan(text).unwrap().functions;
    assert_eq!(found, [Function { name: "f".into(), line: 3, lines: 7, args: 2, test: false }]);
}

#[test]
fn methods_nested_functions_and_macro_functions_are_measured() {
    let text = "impl A { fn a(&mut self, (x, y): (u8, u8)) { fn b() {} } }\nproptest! { #[test] fn c(q in 0..1) {} }\ntrait T { fn d(); }\nlet p: fn(u8);";
    let found: Vec<_> = scan(text).unwrap().functions.into_iter().map(|f| (f.name, f.args, f.test)).collect();
    assert_eq!(found, [("a".into(), 2, false), ("b".into(), 0, false), ("c".into(), 1, true)]);
}

#[test]
fn a_silenced_lint_needs_a_reason() {
    let bare = |text| scan(text).unwrap().bare_allows.len();
    assert_eq!(bare("#[allow(dead_code)] fn f() {}"), 1);
    assert_eq!(bare("#![expect(clippy::panic)]"), 1);
    assert_eq!(bare("#[cfg_attr(test, allow(dead_code))] fn f() {}"), 1);
    assert_eq!(bare("#[allow(dead_code, reason = \"called by the macro\")] fn f() {}"), 0);
    assert_eq!(bare("#[cfg_attr(test, allow(dead_code, reason = \"x\"))] fn f() {}"), 0);
}

#[test]
fn an_ignored_test_needs_a_reason() {
    assert_eq!(scan("#[test]\n#[ignore]\nfn t() {}").unwrap().bare_ignores.len(), 1);
    assert_eq!(scan("#[test]\n#[ignore = \"an hour long\"]\nfn t() {}").unwrap().bare_ignores.len(), 0);
}

#[test]
fn the_operating_system_is_seen_outside_cfg_only() {
    let host = |text| scan(text).unwrap().host.into_iter().map(|h| h.what).collect::<Vec<_>>();
    assert_eq!(host("use std::fs::File;"), ["std::fs"]);
    assert_eq!(host("use std::{collections::HashMap, thread, time::Instant};"), ["std::thread", "std::time"]);
    assert_eq!(host("fn f() { let t = std::time::Instant::now(); }"), ["std::time"]);
    assert_eq!(host("#[cfg(not(target_arch = \"wasm32\"))]\nmod files { use std::fs; }"), [""; 0]);
    assert_eq!(host("#[cfg(test)]\nmod tests { use std::fs; }\nuse std::fmt;"), [""; 0]);
}

#[test]
fn unsafe_code_is_seen_outside_tests() {
    assert_eq!(scan("fn f() { unsafe { g() } }").unwrap().unsafes.len(), 1);
    assert_eq!(
        scan("#![forbid(unsafe_code)]\n#[cfg(test)]\nmod t { unsafe impl A for B {} }").unwrap().unsafes.len(),
        0
    );
}

#[test]
fn module_files_carry_their_path_and_whether_they_are_tests() {
    let text = "pub mod a;\nmod b { pub(crate) mod c; }\n#[cfg(test)]\nmod tests;\n#[path = \"x/y.rs\"]\nmod d;";
    let found: Vec<_> =
        scan(text).unwrap().modules.into_iter().map(|m| (m.inside.join("/"), m.name, m.path, m.test)).collect();
    let module = |inside: &str, name: &str, path: Option<&str>, test| {
        (inside.to_owned(), name.to_owned(), path.map(str::to_owned), test)
    };
    let want = [
        module("", "a", None, false),
        module("b", "c", None, false),
        module("", "tests", None, true),
        module("", "d", Some("x/y.rs"), false),
    ];
    assert_eq!(found, want);
}

#[test]
fn a_file_that_is_not_rust_is_an_error_with_its_line() {
    let error = scan("fn f() {\n    (\n}\n").unwrap_err().to_string();
    assert!(error.starts_with("line "), "{error}");
}
