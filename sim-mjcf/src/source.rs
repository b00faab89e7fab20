//! Where files come from: the disk, memory, or anything else that can answer "give me the bytes of this path".
//!
//! Paths are text, as they stand in the XML: `/` and `\` both separate, `.` and `..` are resolved without asking the
//! source. A path is absolute if it starts with a separator or has a `:/` or `:\` in it.

use std::collections::BTreeMap;
use std::io;

/// Something files can be read from.
pub trait Source {
    /// Reads the whole file at `path`.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// True if there is a file at `path`.
    fn exists(&self, path: &str) -> bool {
        self.read(path).is_ok()
    }
}

/// Largest file that is read: 2 GiB, as in MuJoCo.
pub(crate) const MAX_FILE: u64 = i32::MAX as u64;

/// Files of the operating system.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

#[cfg(not(target_arch = "wasm32"))]
impl Source for Files {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        use std::io::Read;

        // devices and pipes may never end
        let file = std::fs::File::open(path)?;
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        if meta.len() > MAX_FILE {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "larger than 2 GiB"));
        }
        let mut bytes = Vec::with_capacity(meta.len() as usize);
        file.take(MAX_FILE).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn exists(&self, path: &str) -> bool {
        std::fs::metadata(path).is_ok_and(|meta| meta.is_file())
    }
}

/// Files of one folder and the folders in it: a model that names anything else, by an absolute path, by `..` or through
/// a link, does not find it.
///
/// ```
/// use sim_mjcf::{Folder, LoadOptions, load_with};
///
/// let folder = Folder::new(env!("CARGO_MANIFEST_DIR"))?;
/// assert!(load_with(&folder, "tests/shake.xml", LoadOptions::default()).is_ok());
/// assert!(load_with(&folder, "../sim-mjcf/tests/shake.xml", LoadOptions::default()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct Folder {
    root: std::path::PathBuf,
}

#[cfg(not(target_arch = "wasm32"))]
impl Folder {
    /// The folder at `root`, which must exist.
    pub fn new(root: impl AsRef<std::path::Path>) -> io::Result<Self> {
        let root = root.as_ref().canonicalize()?;
        if root.is_dir() {
            Ok(Self { root })
        } else {
            Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"))
        }
    }

    /// Where a path of a model is on the disk.
    fn locate(&self, path: &str) -> io::Result<String> {
        let outside = || io::Error::new(io::ErrorKind::PermissionDenied, "outside of the folder");
        let reduced = reduce(path);
        if is_absolute(&reduced) || reduced.split('/').any(|name| name == "..") {
            return Err(outside());
        }
        // links count as what they lead to
        let real = self.root.join(reduced).canonicalize()?;
        if !real.starts_with(&self.root) {
            return Err(outside());
        }
        real.into_os_string().into_string().map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Source for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        Files.read(&self.locate(path)?)
    }

    fn exists(&self, path: &str) -> bool {
        self.locate(path).is_ok_and(|path| Files.exists(&path))
    }
}

/// Files held in memory, by path.
///
/// ```
/// use sim_mjcf::{Memory, Source};
///
/// let files = Memory::from([("parts/arm.xml", "<mujoco/>")]);
/// assert!(files.read("parts/../parts/arm.xml").is_ok());
/// assert!(files.read("leg.xml").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces it.
    pub fn insert(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(reduce(path), bytes.into());
    }
}

impl<P: AsRef<str>, B: Into<Vec<u8>>, const N: usize> From<[(P, B); N]> for Memory {
    fn from(files: [(P, B); N]) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (reduce(path.as_ref()), bytes.into())).collect();
        Self { files }
    }
}

impl Source for Memory {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.get(&reduce(path)).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(&reduce(path))
    }
}

/// True if `path` does not depend on a directory.
pub(crate) fn is_absolute(path: &str) -> bool {
    absolute_prefix(path) > 0
}

/// `file` seen from `dir`, with `.` and `..` resolved.
pub(crate) fn join(dir: &str, file: &str) -> String {
    if dir.is_empty() || is_absolute(file) {
        return reduce(file);
    }
    let between = if dir.ends_with(['/', '\\']) { "" } else { "/" };
    reduce(&format!("{dir}{between}{file}"))
}

/// The directory of `path`, with the separator at its end; empty if there is none.
pub(crate) fn directory(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |i| &path[..=i])
}

/// The last part of `path`.
pub(crate) fn file_name(path: &str) -> &str {
    &path[directory(path).len()..]
}

/// The last part of `path` without its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}

/// `path` without `.` and with `..` resolved as far as possible; separators become `/`.
pub(crate) fn reduce(path: &str) -> String {
    let (prefix, rest) = path.split_at(absolute_prefix(path));
    let mut parts: Vec<&str> = Vec::new();
    let mut names = rest.split(['/', '\\']).peekable();
    while let Some(name) = names.next() {
        let last = names.peek().is_none();
        match name {
            ".." if !last && parts.last().is_some_and(|&p| p != "..") => {
                parts.pop();
            }
            "." if !last => {}
            _ => parts.push(name),
        }
    }
    format!("{prefix}{}", parts.join("/"))
}

/// Length of the part that makes a path absolute; 0 for a relative path.
fn absolute_prefix(path: &str) -> usize {
    if path.starts_with(['/', '\\']) {
        return 1;
    }
    [":/", ":\\"].iter().find_map(|drive| path.find(drive)).map_or(0, |i| i + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_reduced_without_the_disk() {
        assert_eq!(reduce("a/./b/../c.xml"), "a/c.xml");
        assert_eq!(reduce("../../a.xml"), "../../a.xml");
        assert_eq!(reduce("s\\a.xml"), "s/a.xml");
        assert_eq!(reduce("/a/../b"), "/b");
        assert_eq!(reduce("C:\\a\\..\\b"), "C:\\b");
        assert_eq!(reduce(""), "");
    }

    #[test]
    fn join_respects_absolute_files() {
        assert_eq!(join("models/", "../a.xml"), "a.xml");
        assert_eq!(join("models", "a.xml"), "models/a.xml");
        assert_eq!(join("models", "/a.xml"), "/a.xml");
        assert_eq!(join("", "a.xml"), "a.xml");
        assert_eq!(directory("models/arm/a.xml"), "models/arm/");
        assert_eq!(directory("a.xml"), "");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_of_a_folder_is_read() {
        let root = std::env::temp_dir().join(format!("sim-mjcf-folder-{}", std::process::id()));
        std::fs::create_dir_all(root.join("in/sub")).unwrap();
        std::fs::write(root.join("in/sub/a.xml"), "a").unwrap();
        std::fs::write(root.join("secret"), "s").unwrap();
        let _ = std::os::unix::fs::symlink(root.join("secret"), root.join("in/link"));
        let folder = Folder::new(root.join("in")).unwrap();
        assert_eq!(folder.read("sub/a.xml").unwrap(), b"a");
        assert_eq!(folder.read("sub/../sub\\a.xml").unwrap(), b"a");
        assert!(folder.exists("sub/a.xml") && !folder.exists("sub/b.xml"));
        let absolute = root.join("in/sub/a.xml").to_str().unwrap().to_owned();
        for path in ["../secret", "sub/../../secret", "link", "/etc/hosts", "sub", "..", "", &absolute] {
            assert!(folder.read(path).is_err(), "{path}");
            assert!(!folder.exists(path), "{path}");
        }
        assert!(Folder::new(root.join("secret")).is_err());
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn endless_and_odd_files_are_refused() {
        assert!(Files.read("/dev/zero").is_err());
        assert!(Files.read("/").is_err());
        assert!(Files.read("/no/such/file").is_err());
    }
}
