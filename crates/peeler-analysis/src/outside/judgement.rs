//! Decides whether a constant makes a use a finding: which ports are fixed, which hosts remote, which paths shared.

use peeler_features::Rule;

use super::catalogue::Use;
use super::hosts::{Host, host_of_address, host_of_name, port_of_address};
use super::value::Value;

/// What a use with a constant is.
pub(super) struct Judgement {
    pub(super) rule: Rule,
    /// What happens, in words that follow "the test".
    pub(super) what: String,
    /// Whether the constant makes the use harmless, as port 0 does.
    pub(super) is_settled: bool,
}

/// Beginnings of absolute paths that belong to the machine and not to the project.
const OF_THE_MACHINE: [&str; 10] = [
    "/etc/", "/usr/", "/home/", "/var/", "/tmp/", "/opt/", "/root/", "/proc/", "/sys/", "/Users/",
];

/// The finding that a use of a constant is; `None` if it is none.
pub(super) fn judge(kind: Use, value: &Value) -> Option<Judgement> {
    match (kind, value) {
        (Use::BindPort, Value::Integer(port)) => port_judgement(*port),
        (Use::BindAddress, Value::Text { text, is_whole }) => port_judgement(port_of_address(text, *is_whole)?),
        (Use::Connect, Value::Text { text, .. }) => match host_of_address(text).or_else(|| host_of_name(text))? {
            Host::Remote(host) | Host::RemoteNumber(host) => finding(Rule::RealNetwork, format!("connects to {host}")),
            _ => None,
        },
        (Use::LookUp, Value::Text { text, is_whole: true }) => match host_of_name(text)? {
            Host::Remote(host) => finding(Rule::RealNetwork, format!("looks up the host {host}")),
            _ => None,
        },
        (Use::HashUrl, Value::Text { text, .. }) => match host_of_address(text)? {
            Host::Remote(host) | Host::Example(host) => {
                finding(Rule::UrlHashUsed, format!("looks up the host {host} to hash or compare a URL"))
            }
            _ => None,
        },
        (Use::WritePath, Value::Text { text, is_whole: true }) if is_shared_path(text) => {
            finding(Rule::FixedPath, format!("writes {text}, a path that every run shares"))
        }
        (Use::ReadPath, Value::Text { text, is_whole: true }) if is_machine_path(text) => {
            finding(Rule::FixedPath, format!("reads {text}, a path of the machine"))
        }
        (Use::DeleteOnExit, Value::Text { text, is_whole: true }) if is_shared_path(text) => {
            finding(Rule::DeletedOnExit, format!("leaves {text} until the JVM exits"))
        }
        _ => None,
    }
}

/// The finding that needs no constant.
pub(super) fn judge_without_value(kind: Use) -> Option<Judgement> {
    match kind {
        Use::FindPort => finding(
            Rule::FreePortReleased,
            "takes a port that was free a moment ago".to_owned(),
        ),
        _ => None,
    }
}

fn finding(rule: Rule, what: String) -> Option<Judgement> {
    Some(Judgement {
        rule,
        what,
        is_settled: false,
    })
}

fn port_judgement(port: i64) -> Option<Judgement> {
    match port {
        0 => Some(Judgement {
            rule: Rule::FixedPort,
            what: "binds port 0".to_owned(),
            is_settled: true,
        }),
        1..=65535 => finding(Rule::FixedPort, format!("binds the fixed port {port}")),
        _ => None,
    }
}

/// Whether a constant path names a file or directory that other tests and runs share.
fn is_shared_path(path: &str) -> bool {
    let is_special = path.is_empty()
        || path.starts_with("/dev/")
        || path.contains(['\0', '$', '*', '?', '\n', '%'])
        || path.contains("..") && path.len() < 4
        || [".", "/", "target", "build", "NUL"].contains(&path);
    !is_special && !path.contains("://")
}

/// Whether a path is absolute and belongs to the machine.
fn is_machine_path(path: &str) -> bool {
    let is_drive = path.as_bytes().get(1) == Some(&b':')
        && path.starts_with(|it: char| it.is_ascii_alphabetic())
        && path[2..].starts_with(['\\', '/']);
    is_shared_path(path) && (is_drive || OF_THE_MACHINE.iter().any(|it| path.starts_with(it)))
}

#[cfg(test)]
mod tests {
    use super::{Use, Value, judge};

    fn what(kind: Use, text: &str) -> Option<String> {
        let value = Value::Text {
            text: text.to_owned(),
            is_whole: true,
        };
        judge(kind, &value).map(|it| it.what)
    }

    #[test]
    fn paths_of_the_machine_are_findings_to_read_and_others_are_not() {
        for path in ["/etc/hosts", "C:\\Windows\\win.ini", "/tmp/known"] {
            assert!(what(Use::ReadPath, path).is_some(), "{path}");
        }
        for path in ["src/test/resources/a.txt", "/dev/null", "a:b", ""] {
            assert!(what(Use::ReadPath, path).is_none(), "{path}");
        }
    }

    #[test]
    fn a_port_is_fixed_unless_it_is_zero() {
        let fixed = judge(Use::BindPort, &Value::Integer(8080)).expect("a port");
        assert!(!fixed.is_settled);
        assert!(judge(Use::BindPort, &Value::Integer(0)).expect("a port").is_settled);
        assert!(judge(Use::BindPort, &Value::Integer(-1)).is_none());
    }

    #[test]
    fn the_port_of_an_address_counts() {
        assert!(what(Use::BindAddress, "http://localhost:9998/base").is_some());
        assert!(what(Use::BindAddress, "http://localhost/base").is_none());
    }

    #[test]
    fn looking_up_a_number_needs_no_network() {
        assert!(what(Use::LookUp, "www.wikipedia.org").is_some());
        assert!(what(Use::LookUp, "10.1.2.3").is_none());
        assert!(what(Use::LookUp, "localhost").is_none());
    }
}
