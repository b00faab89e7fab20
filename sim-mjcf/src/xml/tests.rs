//! Tests of the XML layer: what a lenient parser accepts, what it refuses, and the places of both.

use super::*;

fn parse(text: &str) -> Result<(Document, Option<NodeId>), String> {
    let mut doc = Document::default();
    let root = doc.parse("m.xml", text.as_bytes()).map_err(|p| p.to_string())?;
    Ok((doc, root))
}

fn fails(text: &str) -> String {
    parse(text).map(|_| ()).unwrap_err()
}

fn names(element: Element<'_>) -> Vec<String> {
    element.children().map(|e| e.name().to_owned()).collect()
}

#[test]
fn places_count_characters_from_one() {
    let (doc, root) = parse("<mujoco>\n  <geom name=\"ä\" size='1'\n     pos=\"0\"/></mujoco>").unwrap();
    let geom = doc.element(root.unwrap()).children().next().unwrap();
    assert_eq!(geom.at().to_string(), "m.xml:2:3");
    assert_eq!(geom.attribute_at("size").to_string(), "m.xml:2:18");
    assert_eq!(geom.attribute_at("pos").to_string(), "m.xml:3:6");
    assert_eq!(geom.attribute_at("none"), geom.at());
}

#[test]
fn lenient_forms_are_accepted() {
    for text in [
        "<?xml version='1.0'?><?second?><mujoco/>",
        "\u{feff}<mujoco/>",
        " \u{feff}<mujoco/>",
        "words<mujoco/>",
        "<mujoco/><other/>",
        "<mujoco/></other><unclosed>",
        "<mujoco/>\0 anything <",
        "<!DOCTYPE mujoco><mujoco/>",
        "< mujoco/>",
        "<mujoco></mujoco >",
        "<mujoco></mujoco a='1'>",
        "<mujoco>< /mujoco>",
        "<mujoco></a b='1'/></mujoco>",
        "<mujoco a='1'b='2'/>",
        "<mujoco a = '1'/>",
        "<mujoco a='<>'/>",
        "<mujoco><!-- -- --->text &amp; & <![CDATA[<x>]]></mujoco>",
    ] {
        let (doc, root) = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(doc.element(root.unwrap()).name(), "mujoco", "{text}");
    }
}

#[test]
fn broken_forms_are_refused_with_their_place() {
    let cases = [
        ("<mujoco><a>", "m.xml:1:9: not well-formed XML: the file ends inside <a>; '</a>' is missing"),
        ("<mujoco>\n <a></mujoco>", "m.xml:2:5: not well-formed XML: '</mujoco>' closes <a>, opened at m.xml:2:2"),
        ("<mujoco a='1' a='2'/>", "m.xml:1:15: not well-formed XML: attribute 'a' is given twice"),
        ("<mujoco a=1/>", "m.xml:1:11: not well-formed XML: the value of 'a' must be in quotes"),
        ("<mujoco a/>", "m.xml:1:9: not well-formed XML: attribute 'a' has no value"),
        ("<mujoco 1='a'/>", "m.xml:1:9: not well-formed XML: expected a name"),
        ("<mujoco / >", "m.xml:1:9: not well-formed XML: expected a name"),
        ("<mujoco></mujoco<a>>", "m.xml:1:17: not well-formed XML: expected a name"),
        ("<mujoco></ mujoco>", "m.xml:1:11: not well-formed XML: expected a name"),
        ("<mujoco><?pi?></mujoco>", "m.xml:1:9: not well-formed XML: '<?…?>' is only allowed at the start of the file"),
        ("<mujoco/>words", "m.xml:1:10: not well-formed XML: text after the last element"),
        ("<mujoco a='&#xD800;'/>", "m.xml:1:12: not well-formed XML: the value of 'a' holds a surrogate character"),
    ];
    for (text, expected) in cases {
        assert_eq!(fails(text), expected, "{text}");
    }
    for text in ["<mujoco", "<mujoco><!-- ", "<mujoco a='1", "<><></>", "<mujoco>\0</mujoco>"] {
        assert!(fails(text).starts_with("m.xml:1:"), "{text}: {}", fails(text));
    }
}

#[test]
fn text_without_elements_has_no_root() {
    assert!(parse("<!-- nothing -->").unwrap().1.is_none());
    assert!(parse("</a><mujoco/>").unwrap().1.is_none());
}

#[test]
fn bad_encodings_are_refused_where_they_matter() {
    let mut doc = Document::default();
    let latin = doc.parse("m.xml", b"<mujoco a='\xe9'/>").unwrap_err();
    assert_eq!(latin.to_string(), "m.xml:1:12: not well-formed XML: the value of 'a' is not UTF-8");
    assert!(doc.parse("m.xml", b"<mujoco><!-- \xe9 --></mujoco>").is_ok());
    let wide = doc.parse("m.xml", b"\xff\xfe<\0m\0/\0>\0").unwrap_err();
    assert!(wide.to_string().contains("UTF-16"));
}

#[test]
fn entities_are_decoded_or_left_alone() {
    let cases = [
        ("a&amp;&lt;&gt;&apos;&quot;", "a&<>'\""),
        ("&#65;&#x42;&#8364;", "AB€"),
        ("a & b &foo; &#xZZ; &#65y; &amp y", "a & b &foo; &#xZZ; &#65y; &amp y"),
        ("&#x110000;&#99999999999999;", "&#x110000;&#99999999999999;"),
        ("x&#0;y", "x"),
        ("x&#;y", "x"),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("&amp;lt;", "&lt;"),
    ];
    for (raw, expected) in cases {
        assert_eq!(decode(raw.as_bytes()).unwrap(), expected, "{raw}");
    }
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let deep = |n: usize| format!("{}{}", "<body>".repeat(n), "</body>".repeat(n));
    assert!(parse(&deep(MAX_DEPTH)).is_ok());
    assert!(parse(&deep(MAX_DEPTH).replacen("</body>", "<leaf/></body>", 1)).is_ok());
    assert!(fails(&deep(MAX_DEPTH + 1)).contains("nested deeper than 498"));
    assert!(fails(&deep(1_000_000)).contains("nested deeper than 498"));
}

#[test]
fn many_attributes_take_linear_time() {
    let attributes: Vec<String> = (0..200_000).map(|i| format!(" a{i}='x'")).collect();
    let text = format!("<mujoco{}", attributes.concat());
    assert!(parse(&format!("{text}/>")).is_ok());
    assert!(fails(&format!("{text} a7='y'/>")).contains("attribute 'a7' is given twice"));
}

#[test]
fn children_look_through_includes() {
    let (mut doc, root) = parse("<mujoco><include/><a/><include/><b/><include/></mujoco>").unwrap();
    let other = doc.parse("o.xml", b"<x><c/><include/><d/></x>").unwrap().unwrap();
    let inner = doc.parse("p.xml", b"<x><e><f/></e></x>").unwrap().unwrap();
    let root = root.unwrap();
    let includes: Vec<NodeId> =
        doc.element(root).raw_children().filter(|e| e.name() == "include").map(|e| e.id).collect();
    let nested = doc.element(other).raw_children().nth(1).unwrap().id;
    doc.adopt(inner, nested);
    doc.adopt(other, includes[1]);
    assert_eq!(names(doc.element(root)), ["a", "c", "e", "d", "b"]);
    let e = doc.element(root).children().nth(2).unwrap();
    assert_eq!(names(e), ["f"]);
    assert_eq!(e.at().to_string(), "p.xml:1:4");
}
