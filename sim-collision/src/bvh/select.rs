//! The median of things whose order is none.
//!
//! Centres compare with a tolerance, and those of flat triangles are not numbers: what goes to which side then depends on
//! which two are compared when. The comparisons here are those of the C++ library that MuJoCo's binaries carry.

use std::ops::Range;

/// Ranges up to this length are sorted.
const SMALL: usize = 7;

/// The work allowed, in multiples of the length. Usual is 3; only data made to be slow needs more.
const WORK: usize = 64;

/// Puts at `nth` what sorting would put there, nothing larger before it, nothing smaller after it; false when that takes
/// too long. An order that is none gives some arrangement, always the same.
#[doc(alias = "nth_element")]
pub(super) fn select<T>(all: &mut [T], nth: usize, less: impl Fn(&T, &T) -> bool) -> bool {
    let (mut first, mut last) = (0, all.len());
    let mut work = WORK * all.len();
    while let Some(part) = narrow(&mut all[first..last], nth - first, &less) {
        (first, last) = (first + part.start, first + part.end);
        match work.checked_sub(last - first) {
            Some(left) => work = left,
            None => return false,
        }
    }
    true
}

/// Divides `s` at the median of three; returns the part that still has to be searched.
fn narrow<T>(s: &mut [T], nth: usize, less: &impl Fn(&T, &T) -> bool) -> Option<Range<usize>> {
    let len = s.len();
    if len <= SMALL {
        sort(s, less);
        return None;
    }
    let mut pivot = len / 2;
    let mut swapped = sort_three(s, [0, pivot, len - 1], less);
    let (mut i, mut j) = (1, len - 1);
    if !less(&s[0], &s[pivot]) {
        // the first is as large as the pivot: something smaller takes its place
        match (1..j).rev().find(|&k| less(&s[k], &s[pivot])) {
            Some(k) => {
                s.swap(0, k);
                (j, swapped) = (k, true);
            }
            None => return past_equals(s, nth, less),
        }
    }
    if i < j {
        loop {
            while i < len && less(&s[i], &s[pivot]) {
                i += 1;
            }
            j -= 1;
            while j > 0 && !less(&s[j], &s[pivot]) {
                j -= 1;
            }
            if i >= j {
                break;
            }
            s.swap(i, j);
            swapped = true;
            if pivot == i {
                pivot = j;
            }
            i += 1;
        }
    }
    i = i.min(len - 1);
    if i != pivot && less(&s[pivot], &s[i]) {
        s.swap(i, pivot);
        swapped = true;
    }
    let part = if nth < i { 0..i } else { i..len };
    let done = nth == i || (!swapped && s[part].windows(2).all(|two| !less(&two[1], &two[0])));
    if done {
        return None;
    }
    Some(if nth < i { 0..i } else { i + 1..len })
}

/// Nothing is smaller than the first: puts all that is not larger in front; returns the rest if `nth` is there.
fn past_equals<T>(s: &mut [T], nth: usize, less: &impl Fn(&T, &T) -> bool) -> Option<Range<usize>> {
    let len = s.len();
    let (mut i, mut j) = (1, len - 1);
    if !less(&s[0], &s[j]) {
        i = (1..j).find(|&k| less(&s[0], &s[k]))?;
        s.swap(i, j);
        i += 1;
    }
    if i == j {
        return None;
    }
    loop {
        while i < len && !less(&s[0], &s[i]) {
            i += 1;
        }
        j -= 1;
        while j > 0 && less(&s[0], &s[j]) {
            j -= 1;
        }
        if i >= j {
            return (nth >= i).then_some(i..len);
        }
        s.swap(i, j);
        i += 1;
    }
}

/// Sorts a few: two and three by exchange, more by taking the smallest again and again.
fn sort<T>(s: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    match s.len() {
        0 | 1 => {}
        2 if less(&s[1], &s[0]) => s.swap(0, 1),
        2 => {}
        3 => {
            sort_three(s, [0, 1, 2], less);
        }
        len => {
            for start in 0..len - 1 {
                let smallest = (start + 1..len).fold(start, |best, k| if less(&s[k], &s[best]) { k } else { best });
                s.swap(start, smallest);
            }
        }
    }
}

/// Sorts three of them; true if any two changed places.
fn sort_three<T>(s: &mut [T], [a, b, c]: [usize; 3], less: &impl Fn(&T, &T) -> bool) -> bool {
    if !less(&s[b], &s[a]) {
        if !less(&s[c], &s[b]) {
            return false;
        }
        s.swap(b, c);
        if less(&s[b], &s[a]) {
            s.swap(a, b);
        }
    } else if less(&s[c], &s[b]) {
        s.swap(a, c);
    } else {
        s.swap(a, b);
        if less(&s[c], &s[b]) {
            s.swap(b, c);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nth_is_where_sorting_puts_it(v in prop::collection::vec(0..20i32, 1..200), at in 0.0..1.0f64) {
            let nth = (at * v.len() as f64) as usize;
            let (mut got, mut sorted) = (v.clone(), v);
            prop_assert!(select(&mut got, nth, |a, b| a < b));
            sorted.sort_unstable();
            prop_assert_eq!(got[nth], sorted[nth]);
            prop_assert!(got[..nth].iter().all(|x| *x <= sorted[nth]) && got[nth..].iter().all(|x| *x >= sorted[nth]));
        }

        /// Any answers of the comparison end in an arrangement of the same things.
        #[test]
        fn an_order_that_is_none_ends(answers in prop::collection::vec(any::<bool>(), 1..500), len in 1..100usize) {
            let next = std::cell::Cell::new(0);
            let mut v: Vec<usize> = (0..len).collect();
            select(&mut v, len / 2, |_, _| {
                next.set(next.get() + 1);
                answers[next.get() % answers.len()]
            });
            v.sort_unstable();
            prop_assert_eq!(v, (0..len).collect::<Vec<_>>());
        }
    }
}
