//! `sim convert`: a compiled model in a binary file.

use std::io::Write;

use anyhow::{Context, Result, bail};

use crate::args::ConvertArgs;
use crate::load::load;
use crate::text;

pub(crate) fn run(args: &ConvertArgs) -> Result<()> {
    // the extension says what the user believes to get
    if args.output.extension().is_some_and(|e| e == "xml" || e == "mjb") {
        bail!("cannot write '{}': only binary model files (.simb) can be written", args.output.display());
    }
    let loaded = load(&args.model)?;
    let bytes = loaded.model.to_bytes()?;
    std::fs::write(&args.output, &bytes).with_context(|| format!("cannot write '{}'", args.output.display()))?;
    writeln!(anstream::stdout(), "wrote {} ({})", args.output.display(), text::bytes(bytes.len()))?;
    Ok(())
}
