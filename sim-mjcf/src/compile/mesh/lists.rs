//! Many short lists in two allocations.

use std::ops::Index;

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Appends a list.
    pub fn push(&mut self, list: &[u32]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len() as u32);
    }

    /// Turns lists around: for every number below `count`, the lists that hold it, once per time it is there.
    #[must_use]
    pub fn transposed(&self, count: usize) -> Self {
        // how many each number has, then where its list starts, then where its next entry goes
        let mut next = vec![0u32; count];
        for &item in &self.items {
            next[item as usize] += 1;
        }
        let mut ends = next.clone();
        let mut sum = 0;
        for (start, end) in next.iter_mut().zip(&mut ends) {
            *start = sum;
            sum += *end;
            *end = sum;
        }
        let mut items = vec![0; self.items.len()];
        for (i, list) in self.iter().enumerate() {
            for &item in list {
                let place = &mut next[item as usize];
                items[*place as usize] = i as u32;
                *place += 1;
            }
        }
        Self { ends, items }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|i| &self[i])
    }

    /// All items of all lists.
    pub fn items(&self) -> &[u32] {
        &self.items
    }
}

impl Index<usize> for Lists {
    type Output = [u32];

    fn index(&self, list: usize) -> &[u32] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.items[start as usize..self.ends[list] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_order_and_can_be_turned_around() {
        let mut lists = Lists::default();
        for list in [[2, 0].as_slice(), &[], &[1, 2, 2]] {
            lists.push(list);
        }
        assert_eq!(lists.iter().collect::<Vec<_>>(), [[2, 0].as_slice(), &[], &[1, 2, 2]]);
        let around = lists.transposed(4);
        assert_eq!(around.iter().collect::<Vec<_>>(), [[0].as_slice(), &[2], &[0, 2, 2], &[]]);
    }
}
