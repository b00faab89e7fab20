//! A Python that has MuJoCo: the reference that goldens and comparisons need.

use anyhow::{Context as _, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// The version of MuJoCo whose numbers are ours.
pub(crate) const MUJOCO: &str = "3.5.0";

/// An interpreter that was asked for its MuJoCo and gave the right answer.
pub(crate) struct Python {
    program: OsString,
}

impl Python {
    /// Takes the interpreter given, else `$PYTHON`, else the usual name, and checks that it has the right MuJoCo.
    pub(crate) fn find(given: Option<OsString>) -> Result<Self> {
        let usual = || if cfg!(windows) { "python" } else { "python3" }.into();
        let program = given.or_else(|| std::env::var_os("PYTHON")).unwrap_or_else(usual);
        let name = Path::new(&program).display().to_string();
        let output = Command::new(&program)
            .args(["-c", "import numpy, mujoco; print(mujoco.__version__)"])
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("starting `{name}`; name another with --python PATH or $PYTHON"))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let wanted = format!("`{name} -m pip install mujoco=={MUJOCO} numpy`");
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            bail!("`{name}` cannot import MuJoCo ({}): {wanted}", why.trim().lines().last().unwrap_or("no message"));
        }
        if version != MUJOCO {
            bail!("`{name}` has MuJoCo {version}, but the reference is {MUJOCO}: {wanted}");
        }
        Ok(Self { program })
    }

    /// A command that runs a script. It works in `folder`, because MuJoCo leaves a log file where it runs.
    pub(crate) fn script(&self, script: &Path, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(script).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_interpreter_is_named() {
        let error = Python::find(Some("no-such-python".into())).err().unwrap();
        assert!(format!("{error:#}").contains("no-such-python"), "{error:#}");
    }
}
