//! `sim convert`: a compiled model as MJCF or in a binary file.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::args::ConvertArgs;
use crate::load::{load, load_flat};
use crate::text;

pub(crate) fn run(args: &ConvertArgs) -> Result<()> {
    // the extension says what the user wants
    let extension = args.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let bytes = match extension {
        "xml" => load_flat(&args.model, args.output.parent().unwrap_or(Path::new("")))?.into_bytes(),
        "mjb" | "urdf" => {
            bail!("cannot write '{}': write MJCF (.xml) or a binary model file (.simb)", args.output.display())
        }
        _ => load(&args.model)?.model.to_bytes()?,
    };
    std::fs::write(&args.output, &bytes).with_context(|| format!("cannot write '{}'", args.output.display()))?;
    writeln!(anstream::stdout(), "wrote {} ({})", args.output.display(), text::bytes(bytes.len()))?;
    Ok(())
}
