//! Contact pairs and excluded body pairs.

use super::Reader;
use crate::attr::Fields;
use crate::error::Problems;
use crate::spec::{Exclude, Pair, Spec};
use crate::xml::Element;

pub(super) fn contact(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        if element.name() == "pair" {
            let class = reader.class(element, "class").unwrap_or(Spec::MAIN);
            let start = reader.spec.defaults.get(class).map(|d| d.pair.clone()).unwrap_or_default();
            let mut record = Pair { class, at: element.at(), ..start };
            pair(element, &mut record, reader.problems);
            reader.spec.pairs.push(record);
        } else {
            let mut record = Exclude { at: element.at(), ..Exclude::default() };
            let mut f = reader.fields(element);
            f.get("name", &mut record.name);
            f.get("body1", &mut record.body1);
            f.get("body2", &mut record.body2);
            reader.spec.excludes.push(record);
        }
    }
}

/// Reads the attributes of a contact pair, or of a class's pairs.
pub(crate) fn pair(element: Element<'_>, pair: &mut Pair, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut pair.name);
    f.get("geom1", &mut pair.geom1);
    f.get("geom2", &mut pair.geom2);
    f.get("condim", &mut pair.condim);
    f.overlay("solref", &mut pair.solref);
    f.overlay("solreffriction", &mut pair.solreffriction);
    f.overlay("solimp", &mut pair.solimp);
    f.get("margin", &mut pair.margin);
    f.get("gap", &mut pair.gap);
    f.overlay("friction", &mut pair.friction);
}
