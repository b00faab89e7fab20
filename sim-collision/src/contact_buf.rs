//! What a pair function reports, and the place it writes to.

use sim_types::Vec3;

/// Most contacts that one pair of shapes can have (`mjMAXCONPAIR`).
pub const MAX_PAIR_CONTACTS: usize = 50;

/// A contact as the geometry gives it, before solver parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RawContact {
    /// Distance between the surfaces; negative when they overlap.
    pub dist: f64,
    /// Midpoint between the two surfaces.
    pub pos: Vec3,
    /// Unit normal from the first shape to the second.
    pub normal: Vec3,
    /// First tangent; zero lets [`make_frame`](crate::make_frame) choose.
    pub tangent: Vec3,
}

impl RawContact {
    /// True when every number is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        // 0·x is 0 for finite numbers and NaN otherwise
        let zero = |v: &Vec3| 0.0 * v.x + 0.0 * v.y + 0.0 * v.z;
        0.0 * self.dist + zero(&self.pos) + zero(&self.normal) + zero(&self.tangent) == 0.0
    }
}

/// Contacts of one pair, at most [`MAX_PAIR_CONTACTS`].
#[derive(Clone, Debug)]
pub struct ContactBuf {
    contacts: [RawContact; MAX_PAIR_CONTACTS],
    len: usize,
}

impl ContactBuf {
    /// An empty buffer.
    pub fn new() -> Self {
        Self { contacts: [RawContact::default(); MAX_PAIR_CONTACTS], len: 0 }
    }

    /// Appends a contact. Returns false, and drops it, when the buffer is full or a number is not finite.
    #[inline]
    pub fn push(&mut self, contact: RawContact) -> bool {
        match self.contacts.get_mut(self.len) {
            Some(slot) if contact.is_finite() => {
                *slot = contact;
                self.len += 1;
                true
            }
            _ => false,
        }
    }

    /// Number of contacts.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there is no contact.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all contacts.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Forgets all but the first `len` contacts.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// From contact `start` on, keeps those for which `keep` holds; `keep` also sees the contacts that follow.
    pub fn retain_from(&mut self, start: usize, mut keep: impl FnMut(&RawContact, &[RawContact]) -> bool) {
        let mut kept = start.min(self.len);
        for i in start..self.len {
            let Some((contact, rest)) = self.contacts[i..self.len].split_first() else { break };
            if keep(contact, rest) {
                self.contacts[kept] = *contact;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The contacts.
    #[inline]
    pub fn as_slice(&self) -> &[RawContact] {
        &self.contacts[..self.len]
    }

    /// The contacts, to be changed in place.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [RawContact] {
        &mut self.contacts[..self.len]
    }
}

impl Default for ContactBuf {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_takes_fifty_finite_contacts() {
        let mut buf = ContactBuf::new();
        assert!(!buf.push(RawContact { dist: f64::NAN, ..RawContact::default() }));
        assert!(!buf.push(RawContact { pos: Vec3::new(0.0, f64::INFINITY, 0.0), ..RawContact::default() }));
        assert!(buf.is_empty());
        for i in 0..MAX_PAIR_CONTACTS {
            assert!(buf.push(RawContact { dist: i as f64, ..RawContact::default() }));
        }
        assert!(!buf.push(RawContact::default()));
        assert_eq!(buf.len(), MAX_PAIR_CONTACTS);
        buf.retain_from(5, |c, rest| c.dist > 10.0 && !rest.is_empty());
        assert_eq!(
            buf.as_slice().iter().map(|c| c.dist as usize).collect::<Vec<_>>(),
            (0..5).chain(11..49).collect::<Vec<_>>()
        );
        buf.clear();
        assert!(buf.as_slice().is_empty());
    }
}
