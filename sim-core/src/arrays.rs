//! The table of arrays behind `Model` and `Data`.
//!
//! Every array is declared once, with its size, type and meaning. From that line come the struct field and its docs,
//! allocation, the length check, reset, copying without allocation, and access by MuJoCo's name (goldens, dumps, GPU
//! upload).

use sim_types::Item;

/// What the table says of one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// MuJoCo's name.
    pub name: &'static str,
    /// The model size that counts its rows, such as `nbody`.
    pub rows: &'static str,
    /// The model size that counts the elements of one row, for two-dimensional arrays such as `key_qpos`.
    pub columns: Option<&'static str>,
    /// Bytes of one element.
    pub bytes: usize,
    /// What it holds.
    pub doc: &'static str,
}

/// An array seen without its type.
pub trait Column {
    /// Number of elements.
    fn len(&self) -> usize;
    /// True when there is no element.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Shape of one element; empty for a scalar.
    fn element_shape(&self) -> &'static [usize];
    /// Appends all numbers, row-major.
    fn write(&self, out: &mut Vec<f64>);
    /// Overwrites all elements; false (and nothing changed) when the count or a value does not fit.
    fn read(&mut self, numbers: &[f64]) -> bool;
    /// Sets every element to its default: zero, the identity, none.
    fn clear(&mut self);
    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize;
}

impl<T: Item> Column for Vec<T> {
    fn len(&self) -> usize {
        Vec::len(self)
    }
    fn element_shape(&self) -> &'static [usize] {
        T::SHAPE
    }
    fn write(&self, out: &mut Vec<f64>) {
        out.reserve(self.len() * T::width());
        for x in self {
            x.write(out);
        }
    }
    fn read(&mut self, numbers: &[f64]) -> bool {
        let width = T::width();
        if numbers.len() != self.len() * width {
            return false;
        }
        let values: Option<Self> = numbers.chunks_exact(width).map(T::read).collect();
        match values {
            Some(values) => {
                *self = values;
                true
            }
            None => false,
        }
    }
    fn clear(&mut self) {
        self.fill(T::default());
    }
    fn heap_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

/// Numbers and shape of an array, row-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array {
    /// Shape; empty for a scalar.
    pub shape: Vec<usize>,
    /// The numbers.
    pub data: Vec<f64>,
}

impl Array {
    /// A single number.
    pub fn scalar(x: f64) -> Self {
        Self { shape: Vec::new(), data: vec![x] }
    }

    /// The numbers of a column whose rows are counted by `rows`.
    pub(crate) fn from_column(column: &dyn Column, rows: usize, columns: Option<usize>) -> Self {
        let mut shape = vec![rows];
        shape.extend(columns);
        shape.extend_from_slice(column.element_shape());
        let mut data = Vec::new();
        column.write(&mut data);
        Self { shape, data }
    }
}

/// Declares a struct of arrays; see the module docs. `$m` names the value whose fields are the sizes.
macro_rules! arrays {
    (
        $(#[$doc:meta])*
        pub struct $name:ident sized by $m:ident: $sizes:ty {
            $( $(#[$fdoc:meta])* pub $field:ident: $fty:ty, )*
        }
        $( $rows:ident {
            $( $array:ident: [$ty:ty $(; $columns:ident)?], $text:literal; )*
        } )*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(non_snake_case, reason = "arrays keep MuJoCo's names")]
        pub struct $name {
            $( $(#[$fdoc])* pub $field: $fty, )*
            $($(
                #[doc = concat!($text, " (", stringify!($rows) $(, " × ", stringify!($columns))?, ")")]
                pub $array: Vec<$ty>,
            )*)*
        }

        impl $name {
            /// The arrays, in the order of the table.
            pub fn fields() -> &'static [$crate::arrays::FieldInfo] {
                static FIELDS: &[$crate::arrays::FieldInfo] = &[$($(
                    $crate::arrays::FieldInfo {
                        name: stringify!($array),
                        rows: stringify!($rows),
                        columns: $crate::arrays::first(&[$(stringify!($columns))?]),
                        bytes: size_of::<$ty>(),
                        doc: $text,
                    },
                )*)*];
                FIELDS
            }

            /// The array with MuJoCo's name, seen without its type.
            pub fn column(&self, name: &str) -> Option<&dyn $crate::arrays::Column> {
                match name {
                    $($( stringify!($array) => Some(&self.$array), )*)*
                    _ => None,
                }
            }

            /// The array with MuJoCo's name, to be overwritten.
            pub fn column_mut(&mut self, name: &str) -> Option<&mut dyn $crate::arrays::Column> {
                match name {
                    $($( stringify!($array) => Some(&mut self.$array), )*)*
                    _ => None,
                }
            }

            /// Gives every array its length; new elements are zero.
            #[allow(dead_code, reason = "not every table is allocated by its sizes")]
            pub(crate) fn resize_arrays(&mut self, $m: &$sizes) {
                $($( self.$array.resize($m.$rows $(* $m.$columns)?, Default::default()); )*)*
            }

            /// Sets every element of every array to its default.
            #[allow(dead_code, reason = "only state is reset")]
            pub(crate) fn clear_arrays(&mut self) {
                $($( $crate::arrays::Column::clear(&mut self.$array); )*)*
            }

            /// Copies every array; allocates nothing when the lengths agree.
            #[allow(dead_code, reason = "only state is copied in place")]
            pub(crate) fn copy_arrays(&mut self, from: &Self) {
                $($( self.$array.clone_from(&from.$array); )*)*
            }

            /// The first array whose length is not what the sizes say: name, length, wanted length.
            #[inline]
            pub(crate) fn misfit(&self, $m: &$sizes) -> Option<(&'static str, usize, usize)> {
                $($(
                    let want = $m.$rows $(* $m.$columns)?;
                    if self.$array.len() != want {
                        return Some((stringify!($array), self.$array.len(), want));
                    }
                )*)*
                None
            }

            /// Bytes on the heap of all arrays.
            pub fn array_bytes(&self) -> usize {
                let mut bytes = 0;
                $($( bytes += $crate::arrays::Column::heap_bytes(&self.$array); )*)*
                bytes
            }
        }
    };
}
pub(crate) use arrays;

/// The first of at most one string, usable in constants.
pub(crate) const fn first(names: &[&'static str]) -> Option<&'static str> {
    if names.is_empty() { None } else { Some(names[0]) }
}
