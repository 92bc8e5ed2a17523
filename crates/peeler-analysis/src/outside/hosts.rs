//! Hosts in addresses such as `http://host:80/path`, and which of them are outside the machine that runs the tests.

use std::net::{IpAddr, Ipv4Addr};

/// A host: the machine that runs the tests, an example name, or a remote machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Host {
    /// The host is the machine that runs the tests, as `localhost` is.
    Local,
    /// The host has a name that is reserved for examples, or that only a local network knows.
    Example(String),
    /// The host has a name on the internet.
    Remote(String),
    /// The host is a numeric IP address, such as `8.8.8.8`, of another machine than the one that runs the tests.
    RemoteNumber(String),
}

/// Schemes of addresses that contain a host name.
const SCHEMES: [&str; 7] = ["http://", "https://", "ftp://", "ws://", "wss://", "tcp://", "ldap://"];
/// Last parts of host names that are reserved for tests and examples (RFC 2606 and RFC 6761), or are not public.
const RESERVED: [&str; 9] = [
    "test",
    "example",
    "invalid",
    "localhost",
    "local",
    "internal",
    "localdomain",
    "lan",
    "svc",
];
/// Domain names that are reserved for examples.
const EXAMPLES: [&str; 3] = ["example.com", "example.org", "example.net"];

/// The host of an address such as `http://host:80/path`. `None` if the text is no such address, or if the name of the
/// host may be incomplete.
pub(super) fn host_of_address(address: &str) -> Option<Host> {
    let (authority, is_closed) = authority(address)?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, it)| it);
    let host = if let Some(number) = host.strip_prefix('[') {
        number.split(']').next()?
    } else {
        // Without an end, the host may go on in a part that is not constant.
        if !is_closed && !host.contains(':') {
            return None;
        }
        host.split(':').next()?
    };
    host_of_name(host)
}

/// The host and port of an address: `host:80` of `http://host:80/path`. The flag says whether this part is complete: a
/// `/`, `?` or `#` follows, or it contains a dot. `None` if the text does not begin with a scheme such as `http://`.
fn authority(address: &str) -> Option<(&str, bool)> {
    let rest = SCHEMES.iter().find_map(|it| address.strip_prefix(it))?;
    match rest.find(['/', '?', '#']) {
        Some(end) => Some((&rest[..end], true)),
        None => Some((rest, rest.contains('.'))),
    }
}

/// The port in an address such as `http://host:80/path`. `None` if there is none, or if more digits may follow in a
/// part of the text that is not constant.
pub(super) fn port_of_address(address: &str, is_whole: bool) -> Option<i64> {
    let (authority, is_closed) = authority(address)?;
    let (_, port) = authority.rsplit_once(':')?;
    let is_complete = is_whole || is_closed && address.contains(&format!(":{port}/"));
    port.parse().ok().filter(|_| is_complete)
}

/// The host with a name or numeric address; `None` if the text can be neither.
pub(super) fn host_of_name(name: &str) -> Option<Host> {
    let is_host = !name.is_empty()
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || ['.', '-', ':', '_'].contains(&it))
        && !name.starts_with('.');
    if !is_host {
        return None;
    }
    if let Ok(number) = name.parse::<IpAddr>() {
        return Some(if is_local_number(number) {
            Host::Local
        } else {
            Host::RemoteNumber(name.to_owned())
        });
    }
    let lower = name.to_ascii_lowercase();
    let mut parts = lower.rsplit('.');
    let last = parts.next().unwrap_or_default();
    if lower == "localhost" {
        return Some(Host::Local);
    }
    let is_domain = |domain: &&str| lower == **domain || lower.ends_with(&format!(".{domain}"));
    let is_public = parts.next().is_some() && last.len() >= 2 && last.chars().all(|it| it.is_ascii_alphabetic());
    if !is_public || RESERVED.contains(&last) || EXAMPLES.iter().any(is_domain) {
        return Some(Host::Example(name.to_owned()));
    }
    Some(Host::Remote(name.to_owned()))
}

/// Whether an IP address stands for the machine that runs the tests, or is reserved for documentation or broadcasts.
fn is_local_number(number: IpAddr) -> bool {
    match number {
        IpAddr::V4(it) => it.is_loopback() || it.is_unspecified() || it.is_documentation() || it == Ipv4Addr::BROADCAST,
        IpAddr::V6(it) => it.is_loopback() || it.is_unspecified(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Host, host_of_address, host_of_name, port_of_address};

    #[test]
    fn public_names_are_remote() {
        for address in [
            "http://www.google.com",
            "https://repo.maven.apache.org/maven2",
            "ftp://a@ftp.gnu.org:21/x",
        ] {
            assert!(matches!(host_of_address(address), Some(Host::Remote(_))), "{address}");
        }
        assert_eq!(host_of_name("8.8.8.8"), Some(Host::RemoteNumber("8.8.8.8".into())));
    }

    #[test]
    fn the_machine_and_examples_are_not_remote() {
        for address in [
            "http://localhost:8080/a",
            "http://127.0.0.1",
            "http://[::1]:80/",
            "http://0.0.0.0:1",
        ] {
            assert!(
                matches!(host_of_address(address), Some(Host::Local) | None),
                "{address}"
            );
        }
        for address in ["http://www.example.com/a", "http://shop.test/", "http://service/orders"] {
            assert!(matches!(host_of_address(address), Some(Host::Example(_))), "{address}");
        }
    }

    #[test]
    fn other_texts_have_no_host() {
        for text in ["file:///tmp/a", "classpath:a.xml", "http://", "no address"] {
            assert_eq!(host_of_address(text), None, "{text}");
        }
    }

    #[test]
    fn ports_of_addresses_are_read() {
        assert_eq!(port_of_address("http://localhost:9998/a", true), Some(9998));
        assert_eq!(port_of_address("http://localhost:9", false), None);
        assert_eq!(port_of_address("http://localhost", true), None);
    }
}
