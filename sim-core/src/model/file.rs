//! The binary model file: loads without XML, refuses what it does not understand.
//!
//! A magic word, a format number, then the model in postcard's encoding. The format number changes whenever the table
//! of arrays does; files are meant for caching and transport, MJCF remains the source.

use super::Model;
use crate::error::ModelError;

const MAGIC: &[u8; 8] = b"SIMMODEL";
const FORMAT: u32 = 1;

/// Why a binary model could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// The bytes do not begin as a model file does.
    #[error("not a binary model file")]
    NotAModel,
    /// The file was written by another version.
    #[error("model file has format {found}, this version reads format {FORMAT}: convert the MJCF again")]
    Format {
        /// The format number in the file.
        found: u32,
    },
    /// The bytes are damaged.
    #[error("model file is damaged: {0}")]
    Damaged(String),
    /// The model in the file contradicts itself.
    #[error("model file: {0}")]
    Invalid(#[from] ModelError),
}

impl Model {
    /// This model as the bytes of a binary model file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelFileError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        postcard::to_extend(self, bytes).map_err(|e| ModelFileError::Damaged(e.to_string()))
    }

    /// The model in the bytes of a binary model file, checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelFileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ModelFileError::NotAModel)?;
        let (format, body) = rest.split_first_chunk::<4>().ok_or(ModelFileError::NotAModel)?;
        let found = u32::from_le_bytes(*format);
        if found != FORMAT {
            return Err(ModelFileError::Format { found });
        }
        let model: Self = postcard::from_bytes(body).map_err(|e| ModelFileError::Damaged(e.to_string()))?;
        model.check()?;
        Ok(model)
    }
}
