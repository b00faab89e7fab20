//! Broken files: flipped bits, wrong lengths, odd numbers where numbers stand.

use super::values;
use crate::Rng;

/// Patterns written over four bytes: counts and floats that no file should hold.
const PATTERNS: [u32; 10] = [
    0,
    1,
    0xffff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0x00ff_ffff,
    0x7f80_0000, // infinity
    0x7fc0_0000, // NaN
    0x7f7f_ffff, // the largest float
    0x0000_0001,
];

/// How every PNG begins.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Breaks a file.
pub(super) fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        bytes.extend(rng.bits().to_le_bytes());
        return;
    }
    if bytes.starts_with(PNG) && !rng.one_in(3) {
        return png(rng, bytes);
    }
    if std::str::from_utf8(bytes).is_ok() && !rng.one_in(3) {
        return word(rng, bytes);
    }
    let at = rng.below(bytes.len());
    match rng.below(10) {
        0 => bytes.truncate(at),
        1 => {
            let end = (at + rng.below(64)).min(bytes.len());
            bytes.drain(at..end);
        }
        2 => {
            let end = (at + rng.below(256)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let place = rng.below(bytes.len());
            bytes.splice(place..place, piece);
        }
        3 => {
            let n = rng.below(64);
            bytes.extend((0..n).map(|_| rng.bits() as u8));
        }
        4 => {
            let end = (at + rng.below(64)).min(bytes.len());
            bytes[at..end].fill(if rng.one_in(2) { 0 } else { 0xff });
        }
        5 | 6 => {
            // counts stand near the start of binary files
            let start = if rng.one_in(2) { rng.below(32.min(bytes.len())) } else { at } & !3;
            overwrite(rng, bytes, start);
        }
        _ => {
            for _ in 0..=rng.below(8) {
                let bit = rng.below(8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}

/// Writes a pattern over four bytes, as far as there are so many.
fn overwrite(rng: &mut Rng, bytes: &mut [u8], start: usize) {
    let pattern = rng.pick(&PATTERNS).copied().unwrap_or_default();
    for (byte, new) in bytes.iter_mut().skip(start).zip(pattern.to_le_bytes()) {
        *byte = new;
    }
}

/// Changes one word of a text.
fn word(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let Some(old) = rng.pick(&words) else { return };
    // where it stands: words are parts of the text
    let start = old.as_ptr() as usize - text.as_ptr() as usize;
    let end = start + old.len();
    let new = match rng.below(4) {
        0 => String::new(),
        1 => rng.pick(&words).map_or_else(String::new, |w| (*w).to_owned()),
        _ => values::number(rng),
    };
    bytes.splice(start..end, new.into_bytes());
}

/// Changes a chunk of a PNG and makes its checksum right again, so that decoding goes on.
fn png(rng: &mut Rng, bytes: &mut [u8]) {
    let mut chunks = Vec::new();
    let mut at = PNG.len();
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        if at + 12 + length > bytes.len() {
            break;
        }
        chunks.push((at, length));
        at += 12 + length;
    }
    // the header, which holds the size, more often than the rest
    let chosen = if rng.one_in(2) { chunks.first().copied() } else { rng.pick(&chunks).copied() };
    let Some((at, length)) = chosen else { return };
    let body = at + 8..at + 8 + length;
    if length >= 4 && rng.one_in(2) {
        let start = body.start + (rng.below(length.min(16)) & !3);
        overwrite(rng, &mut bytes[..body.end], start);
        let end = (start + 4).min(body.end);
        bytes[start..end].reverse();
    } else if length > 0 {
        bytes[body.start + rng.below(length)] = rng.bits() as u8;
    }
    let sum = crc(&bytes[at + 4..body.end]).to_be_bytes();
    bytes[body.end..body.end + 4].copy_from_slice(&sum);
}

/// The checksum of PNG chunks.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_png() {
        // the end chunk of every PNG
        assert_eq!(crc(b"IEND"), 0xae42_6082);
    }
}
