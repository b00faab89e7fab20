//! Why a mesh cannot be used.

/// Why a mesh cannot be read or processed; the caller adds its name and its place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file is empty or its header is incomplete.
    #[error("the {format} file has {size} bytes, fewer than its header of {header}")]
    Header {
        /// `STL` or `MSH`.
        format: &'static str,
        /// Bytes in the file.
        size: usize,
        /// Bytes a header has.
        header: usize,
    },
    /// A number in the header that no valid file has.
    #[error("the {format} header says {what} = {value}, expected {expected}")]
    Count {
        /// `STL` or `MSH`.
        format: &'static str,
        /// What is counted.
        what: &'static str,
        /// The number found.
        value: i64,
        /// What would be right.
        expected: &'static str,
    },
    /// The size of the file does not fit its header.
    #[error("the {format} file has {size} bytes where its header announces {expected}")]
    Size {
        /// `STL` or `MSH`.
        format: &'static str,
        /// Bytes in the file.
        size: usize,
        /// Bytes there should be.
        expected: u64,
    },
    /// Text that cannot be read, with its line.
    #[error("{format} file, line {line}: {message}")]
    Text {
        /// `STL` or `OBJ`.
        format: &'static str,
        /// Line, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// A file whose format is unknown.
    #[error("cannot read a mesh of type '{0}'; STL, OBJ and legacy MSH files are supported")]
    Format(String),
    /// A vertex too far away to be meant.
    #[error("vertex {0} of the STL file has a coordinate beyond 2^30")]
    Bounds(usize),
    /// A coordinate that is NaN or infinite.
    #[error("vertex {0} is not finite")]
    NotFinite(usize),
    /// The same data in the file and in the model.
    #[error("{0} data is given both in the file and in the model; remove one")]
    Repeated(&'static str),
    /// An array of the wrong length.
    #[error("{what}: found {count} numbers, expected {expected}")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        count: usize,
        /// What would be right.
        expected: &'static str,
    },
    /// A face that names a vertex which does not exist.
    #[error("face {face} names vertex {vertex}, but there are {count} vertices, counted from 0")]
    Index {
        /// The face, from 0.
        face: usize,
        /// The vertex it names.
        vertex: i64,
        /// Number of vertices.
        count: usize,
    },
    /// Parameters of a generated mesh.
    #[error("builtin {builtin}: {message}")]
    Builtin {
        /// Which one.
        builtin: &'static str,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// Two faces run along an edge in the same sense.
    #[error(
        "faces are not oriented consistently: check those with vertices {0} and {1} (counted from 1), or do not ask for exact inertia"
    )]
    Orientation(u32, u32),
    /// No convex hull.
    #[error("no convex hull: {0}")]
    Hull(#[from] sim_collision::hull::HullError),
    /// No surface.
    #[error("the surface area is too small")]
    Area,
    /// No volume.
    #[error("the volume is too small; inertia=\"shell\" does not need one")]
    Volume,
    /// Inside out.
    #[error("the volume is negative: faces must be counter-clockwise seen from outside")]
    InsideOut,
    /// Scaling or turning gave numbers too large to work with.
    #[error("vertices are not finite after refpos, refquat and scale")]
    Overflow,
    /// An inertia no body has.
    #[error("the moments of inertia {0:?} are not those of a body")]
    Inertia([f64; 3]),
    /// A primitive that cannot be fitted to a mesh.
    #[error("a {0} cannot be fitted to a mesh; use sphere, capsule, cylinder, ellipsoid or box")]
    Fit(String),
    /// More than the loader is willing to work with.
    #[error("too large: {0}")]
    Budget(String),
}
