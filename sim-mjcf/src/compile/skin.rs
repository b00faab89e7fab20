//! Skins: reading their files, checking them, normalising their weights.

use super::names;
use crate::Context;
use crate::error::Problems;
use crate::source;
use crate::spec::{Bone, Skin, Spec};
use sim_core::{Assets, Model};
use sim_types::{MINVAL, ObjType, OptId};
use std::sync::Arc;

/// Length of a bone's name in a file.
const NAME_BYTES: usize = 40;

/// Compiles all skins and fills their arrays. Names of bodies and materials must be known already.
#[doc(alias = "mjCSkin::Compile")]
pub(super) fn skins(spec: &Spec, context: Context<'_>, m: &mut Model, problems: &mut Problems) {
    let mut assets = std::mem::take(&mut m.assets);
    let out = Arc::make_mut(&mut assets);
    for record in &spec.skins {
        match complete(spec, record, context) {
            Ok(skin) => store(record, &skin, m, out, problems),
            Err(message) => problems.invalid(&record.at, "skin", &record.name, message),
        }
        let (n, limit) = (out.skin_vert.len(), context.limits.vertices);
        if n > limit {
            let message = format!("the skins up to this one have {n} vertices, and the limit is {limit}");
            problems.invalid(&record.at, "skin", name(record), message);
            break;
        }
    }
    out.nskin = out.skin_matid.len();
    out.nskinvert = out.skin_vert.len();
    out.nskintexvert = out.skin_texcoord.len();
    out.nskinface = out.skin_face.len();
    out.nskinbone = out.skin_bonebodyid.len();
    out.nskinbonevert = out.skin_bonevertid.len();
    m.assets = assets;
}

/// The name of a skin: its own, or that of its file.
pub(super) fn name(skin: &Skin) -> &str {
    if !skin.name.is_empty() {
        return &skin.name;
    }
    source::stem(&skin.file)
}

/// The data of a skin, from its file if it has one; checked and normalised.
fn complete(spec: &Spec, record: &Skin, context: Context<'_>) -> Result<Skin, String> {
    let mut skin = record.clone();
    if !record.file.is_empty() {
        let inline =
            [record.vert.is_empty(), record.texcoord.is_empty(), record.face.is_empty(), record.bones.is_empty()];
        if inline.contains(&false) {
            return Err("either a file or data is given, not both".to_owned());
        }
        let file = if spec.compiler.strippath { source::file_name(&record.file) } else { &record.file };
        let meshdir = &spec.compiler_of(record.origin).meshdir;
        let path = source::join(spec.dir_of(record.origin), &source::join(meshdir, file));
        if !path.to_ascii_lowercase().ends_with(".skn") {
            return Err(format!("the file of a skin ends in .skn, unlike '{path}'"));
        }
        let bytes = context.source.read(&path).map_err(|error| format!("cannot read '{path}': {error}"))?;
        load(&bytes, &mut skin).map_err(|message| format!("file '{path}': {message}"))?;
    }
    check(&skin)?;
    normalise(&mut skin)?;
    Ok(skin)
}

fn check(skin: &Skin) -> Result<(), String> {
    if skin.vert.is_empty() || skin.face.is_empty() || skin.bones.is_empty() {
        return Err("a skin needs vertices, faces and bones".to_owned());
    }
    if !skin.vert.len().is_multiple_of(3) || !skin.face.len().is_multiple_of(3) {
        return Err("a vertex has three numbers, a face three vertices".to_owned());
    }
    if !skin.texcoord.is_empty() && skin.texcoord.len() != 2 * skin.vert.len() / 3 {
        return Err(format!("texcoord needs two numbers for each of the {} vertices", skin.vert.len() / 3));
    }
    let vertices = skin.vert.len() / 3;
    if let Some(id) = skin.face.iter().find(|id| usize::try_from(**id).map_or(true, |id| id >= vertices)) {
        return Err(format!("face has vertex {id}, but there are {vertices}"));
    }
    Ok(())
}

/// Makes the weights of each vertex add up to one, and the quaternions of bones rotations.
fn normalise(skin: &mut Skin) -> Result<(), String> {
    let vertices = skin.vert.len() / 3;
    let mut total = vec![0f32; vertices];
    for bone in &skin.bones {
        if bone.vertid.is_empty() || bone.vertid.len() != bone.vertweight.len() {
            return Err(format!("bone '{}' needs as many weights as vertices, and at least one", bone.body));
        }
        for (id, weight) in bone.vertid.iter().zip(&bone.vertweight) {
            let slot = usize::try_from(*id).ok().and_then(|id| total.get_mut(id));
            *slot.ok_or_else(|| format!("bone '{}' has vertex {id}, but there are {vertices}", bone.body))? += weight;
        }
    }
    if let Some(vertex) =
        total.iter().position(|w| f64::from(*w).partial_cmp(&MINVAL) != Some(std::cmp::Ordering::Greater))
    {
        return Err(format!("the weights of vertex {vertex} must add up to a positive number"));
    }
    for bone in &mut skin.bones {
        for (id, weight) in bone.vertid.iter().zip(&mut bone.vertweight) {
            *weight /= total[*id as usize];
        }
        let mut quat = bone.bindquat.map(f64::from);
        super::pose::normalize(&mut quat);
        bone.bindquat = quat.map(|x| x as f32);
    }
    Ok(())
}

/// Reads a file in MuJoCo's SKN format.
#[doc(alias = "mjCSkin::LoadSKN")]
fn load(bytes: &[u8], skin: &mut Skin) -> Result<(), String> {
    let mut rest = bytes;
    let mut sizes = [0usize; 4];
    for size in &mut sizes {
        *size = usize::try_from(int(&mut rest)?).map_err(|_| "a size in the header is negative".to_owned())?;
    }
    let [vertices, texcoords, faces, bones] = sizes;
    skin.vert = numbers(&mut rest, vertices, 3, f32::from_le_bytes)?;
    skin.texcoord = numbers(&mut rest, texcoords, 2, f32::from_le_bytes)?;
    skin.face = numbers(&mut rest, faces, 3, i32::from_le_bytes)?;
    for _ in 0..bones {
        let name = take(&mut rest, NAME_BYTES)?;
        let length = name[..NAME_BYTES - 1].iter().position(|b| *b == 0).unwrap_or(NAME_BYTES - 1);
        let body = String::from_utf8_lossy(&name[..length]).into_owned();
        let pose = numbers(&mut rest, 7, 1, f32::from_le_bytes)?;
        let count = usize::try_from(int(&mut rest)?).ok().filter(|n| *n > 0);
        let count = count.ok_or_else(|| format!("bone '{body}' has no vertices"))?;
        skin.bones.push(Bone {
            body,
            bindpos: [pose[0], pose[1], pose[2]],
            bindquat: [pose[3], pose[4], pose[5], pose[6]],
            vertid: numbers(&mut rest, count, 1, i32::from_le_bytes)?,
            vertweight: numbers(&mut rest, count, 1, f32::from_le_bytes)?,
        });
    }
    if rest.is_empty() { Ok(()) } else { Err(format!("there are {} bytes too many", rest.len())) }
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], String> {
    let (taken, left) = rest.split_at_checked(count).ok_or("the data ends too early")?;
    *rest = left;
    Ok(taken)
}

fn int(rest: &mut &[u8]) -> Result<i32, String> {
    Ok(numbers(rest, 1, 1, i32::from_le_bytes)?[0])
}

fn numbers<T>(rest: &mut &[u8], count: usize, each: usize, read: fn([u8; 4]) -> T) -> Result<Vec<T>, String> {
    let bytes = count.checked_mul(4 * each).ok_or("a size in the header is too large")?;
    Ok(take(rest, bytes)?.as_chunks().0.iter().map(|chunk| read(*chunk)).collect())
}

/// Appends a skin to the arrays.
fn store(record: &Skin, skin: &Skin, m: &Model, out: &mut Assets, problems: &mut Problems) {
    let mut find = |kind: (ObjType, &str), name: &str| names::resolve(&m.names, kind, name, &record.at, problems);
    let material = if skin.material.is_empty() { None } else { find((ObjType::Material, "material"), &skin.material) };
    out.skin_matid.push(OptId::from(material));
    out.skin_group.push(skin.group);
    out.skin_rgba.push(skin.rgba);
    out.skin_inflate.push(skin.inflate);
    out.skin_vertadr.push(out.skin_vert.len() as u32);
    out.skin_vertnum.push(skin.vert.len() as u32 / 3);
    let textured = !skin.texcoord.is_empty();
    out.skin_texcoordadr.push(if textured { OptId::some(out.skin_texcoord.len()) } else { OptId::NONE });
    out.skin_faceadr.push(out.skin_face.len() as u32);
    out.skin_facenum.push(skin.face.len() as u32 / 3);
    out.skin_boneadr.push(out.skin_bonebodyid.len() as u32);
    out.skin_bonenum.push(skin.bones.len() as u32);
    out.skin_vert.extend_from_slice(skin.vert.as_chunks().0);
    out.skin_texcoord.extend_from_slice(skin.texcoord.as_chunks().0);
    out.skin_face.extend_from_slice(skin.face.as_chunks().0);
    for bone in &skin.bones {
        out.skin_bonebodyid.push(find((ObjType::Body, "body"), &bone.body).unwrap_or(0) as u32);
        out.skin_bonebindpos.push(bone.bindpos);
        out.skin_bonebindquat.push(bone.bindquat);
        out.skin_bonevertadr.push(out.skin_bonevertid.len() as u32);
        out.skin_bonevertnum.push(bone.vertid.len() as u32);
        out.skin_bonevertid.extend(bone.vertid.iter().map(|id| *id as u32));
        out.skin_bonevertweight.extend_from_slice(&bone.vertweight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_to_its_last_byte() {
        let mut bytes: Vec<u8> = [3, 0, 1, 1].into_iter().flat_map(i32::to_le_bytes).collect();
        bytes.extend([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].into_iter().flat_map(f32::to_le_bytes));
        bytes.extend([0, 1, 2].into_iter().flat_map(i32::to_le_bytes));
        let mut name = b"arm".to_vec();
        name.resize(NAME_BYTES, 0);
        bytes.extend(name);
        bytes.extend([0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0].into_iter().flat_map(f32::to_le_bytes));
        bytes.extend([3, 0, 1, 2].into_iter().flat_map(i32::to_le_bytes));
        bytes.extend([1.0, 2.0, 4.0].into_iter().flat_map(f32::to_le_bytes));
        let mut skin = Skin::default();
        load(&bytes, &mut skin).unwrap();
        normalise(&mut skin).unwrap();
        assert_eq!((skin.bones[0].body.as_str(), skin.bones[0].bindquat), ("arm", [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(skin.bones[0].vertweight, [1.0; 3]);
        for cut in 0..bytes.len() {
            assert!(load(&bytes[..cut], &mut Skin::default()).is_err(), "{cut} bytes");
        }
        bytes.push(0);
        assert!(load(&bytes, &mut Skin::default()).is_err());
    }
}
