//! Numbers that represent variants of enums in stored files.
//!
//! Vocabularies of trained models and corpora contain these numbers. Each is written explicitly beside its variant, so
//! that reordering or renaming an enum does not change files. Tests check every number.

use std::marker::PhantomData;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An enum whose variants have fixed numbers in files.
pub trait StoredCode: Copy + 'static {
    /// Every variant of the enum, each once.
    const ALL: &'static [Self];

    /// The number of the variant in files. It never changes.
    fn code(self) -> u8;

    /// The variant of the enum with this number, if there is one.
    #[must_use]
    fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.code() == code)
    }
}

/// A wrapper around an enum value that serde writes as a number, the [`StoredCode::code`] of the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coded<T>(pub T);

impl<T: StoredCode> Serialize for Coded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0.code())
    }
}

impl<'de, T: StoredCode> Deserialize<'de> for Coded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = u8::deserialize(deserializer)?;
        let known = T::from_code(code).map(Self);
        known.ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(code.into()), &Expected::<T>(PhantomData)))
    }
}

struct Expected<T>(PhantomData<T>);

impl<T> serde::de::Expected for Expected<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = std::any::type_name::<T>();
        write!(out, "a code of {}", name.rsplit("::").next().unwrap_or(name))
    }
}

#[cfg(test)]
mod tests {
    use super::{Coded, StoredCode};
    use crate::graph_kinds::NodeKind;

    #[test]
    fn a_coded_value_is_written_as_its_number_and_read_back() {
        for kind in NodeKind::ALL {
            let written = serde_json::to_string(&Coded(*kind)).unwrap();
            assert_eq!(written, kind.code().to_string());
            assert_eq!(serde_json::from_str::<Coded<NodeKind>>(&written).unwrap().0, *kind);
        }
        let error = serde_json::from_str::<Coded<NodeKind>>("9").unwrap_err().to_string();
        assert!(error.contains("a code of NodeKind"), "{error}");
    }
}
