//! Why a call was refused. Every message names the value, where it stands, and the way out.

use std::fmt;

/// Input that the core refuses. After a `Data` and its `Limits` exist, nothing but a limit can end a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Builds an `Error` as `format!` builds a string.
#[macro_export]
macro_rules! refuse {
    ($($arg:tt)*) => { Err($crate::error::Error(format!($($arg)*))) };
}
