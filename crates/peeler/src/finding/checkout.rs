//! The git commit that a scan read, and where its code can be seen.

use serde::{Deserialize, Serialize};

/// The git commit of the scanned folder, and the address of its repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Checkout {
    /// The id of the commit that is checked out.
    pub(crate) commit: String,
    /// Whether files of the findings differ from the commit.
    pub(crate) is_changed: bool,
    /// The web address of the repository on its forge, such as `https://github.com/owner/name`; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) forge: Option<String>,
}

impl Checkout {
    /// The id of the commit, if it consists of hexadecimal digits. A scan may come from anywhere.
    pub(crate) fn commit(&self) -> Option<&str> {
        let is_id = self.commit.len() >= 7 && self.commit.chars().all(|it| it.is_ascii_hexdigit());
        is_id.then_some(&*self.commit)
    }

    /// The web address of a line of a file; `None` if the forge is not known.
    pub(crate) fn line_address(&self, file: &str, line: u32) -> Option<String> {
        let commit = self.commit()?;
        let forge = self.forge.as_deref().filter(|it| is_address(it))?;
        let host = forge.strip_prefix("https://")?.split('/').next()?;
        let path = encoded(file)?;
        match host {
            "github.com" => Some(format!("{forge}/blob/{commit}/{path}#L{line}")),
            "bitbucket.org" => Some(format!("{forge}/src/{commit}/{path}#lines-{line}")),
            "codeberg.org" | "gitea.com" => Some(format!("{forge}/src/commit/{commit}/{path}#L{line}")),
            _ if host.contains("gitlab") => Some(format!("{forge}/-/blob/{commit}/{path}#L{line}")),
            _ if host.contains("github") => Some(format!("{forge}/blob/{commit}/{path}#L{line}")),
            _ => None,
        }
    }
}

/// Whether a text is a plain web address that is safe inside a Markdown link.
fn is_address(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-._~/:".contains(it);
    text.strip_prefix("https://")
        .is_some_and(|it| !it.is_empty() && it.chars().all(is_plain))
}

/// The path of a file as a part of a web address; `None` for a path that leaves the repository.
fn encoded(file: &str) -> Option<String> {
    use std::fmt::Write as _;

    if file.starts_with('/') || file.split('/').any(|it| it == "..") {
        return None;
    }
    let mut out = String::with_capacity(file.len());
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Some(out)
}

/// The web address that belongs to the address of a git remote; `None` for a remote that no browser can show.
///
/// ```text
/// git@github.com:owner/name.git       https://github.com/owner/name
/// ssh://git@gitlab.org/owner/name     https://gitlab.org/owner/name
/// ```
pub(crate) fn web_address(remote: &str) -> Option<String> {
    let rest = match remote.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.to_owned(),
        Some(_) => return None,
        None => remote.replacen(':', "/", 1),
    };
    // Names and passwords in front of the host stay private.
    let rest = rest.rsplit_once('@').map_or(rest.as_str(), |(_, it)| it);
    let (host, path) = rest.trim_end_matches('/').split_once('/')?;
    let host = host.split(':').next()?;
    let path = path.trim_end_matches(".git");
    let address = format!("https://{host}/{path}");
    (host.contains('.') && !path.is_empty() && is_address(&address)).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_have_web_addresses_without_names_and_passwords() {
        for (remote, address) in [
            ("git@github.com:owner/name.git", Some("https://github.com/owner/name")),
            (
                "https://user:secret@github.com/owner/name.git",
                Some("https://github.com/owner/name"),
            ),
            (
                "ssh://git@gitlab.example.org:2222/a/b/c",
                Some("https://gitlab.example.org/a/b/c"),
            ),
            ("/srv/git/name.git", None),
            ("file:///srv/git/name.git", None),
            ("https://github.com/a/b](x)", None),
        ] {
            assert_eq!(web_address(remote).as_deref(), address, "{remote}");
        }
    }

    #[test]
    fn a_line_has_the_address_of_its_forge_or_none() {
        let checkout = |forge: &str| Checkout {
            commit: "0123456789abcdef".to_owned(),
            is_changed: false,
            forge: Some(forge.to_owned()),
        };
        let line = |forge: &str| checkout(forge).line_address("src/a b.java", 7);
        assert_eq!(
            line("https://github.com/o/n").as_deref(),
            Some("https://github.com/o/n/blob/0123456789abcdef/src/a%20b.java#L7")
        );
        assert_eq!(
            line("https://gitlab.org/o/n").as_deref(),
            Some("https://gitlab.org/o/n/-/blob/0123456789abcdef/src/a%20b.java#L7")
        );
        assert_eq!(line("https://example.org/o/n"), None);
        assert_eq!(line("javascript:alert(1)"), None);
        assert_eq!(checkout("https://github.com/o/n").line_address("../x.java", 1), None);
    }
}
