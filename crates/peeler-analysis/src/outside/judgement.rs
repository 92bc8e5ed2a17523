//! Decides whether a constant port, host or path makes a call a finding: ports that are fixed, hosts that are remote,
//! paths that runs share.

use peeler_features::Rule;

use super::catalogue::Use;
use super::hosts::{Host, host_of_address, host_of_name, port_of_address};
use super::value::Value;

/// What is wrong with a call that uses a constant port, host or path: the rule, and words for the report.
pub(super) struct Judgement {
    pub(super) rule: Rule,
    /// What the judged call does with a port, host or path, in words that follow "the test": "binds the fixed port
    /// 8080".
    pub(super) what: String,
    /// Whether the judged call is harmless because of the constant that it uses: port 0 stands for any free port.
    pub(super) is_settled: bool,
}

/// Beginnings of absolute paths to files of the machine that are no part of the project.
const OF_THE_MACHINE: [&str; 9] = [
    "/etc/", "/usr/", "/home/", "/var/", "/tmp/", "/opt/", "/proc/", "/sys/", "/Users/",
];

/// What is wrong with a call that uses a constant port, host or path; `None` if nothing is. The result for port 0 is
/// marked as settled.
pub(super) fn judge(kind: Use, value: &Value) -> Option<Judgement> {
    let (rule, what) = match (kind, value) {
        (Use::BindPort, Value::Integer(port)) => return port_judgement(*port),
        (Use::BindAddress, Value::Text { text, is_whole }) => {
            return port_judgement(port_of_address(text, *is_whole)?);
        }
        (Use::Connect, Value::Text { text, is_whole }) => {
            let by_name = || host_of_name(text).filter(|_| *is_whole);
            let (Host::Remote(host) | Host::RemoteNumber(host)) = host_of_address(text).or_else(by_name)? else {
                return None;
            };
            (Rule::RealNetwork, format!("connects to {host}"))
        }
        (Use::LookUp, Value::Text { text, is_whole: true }) => {
            let Host::Remote(host) = host_of_name(text)? else {
                return None;
            };
            (Rule::RealNetwork, format!("looks up the host {host}"))
        }
        (Use::HashUrl, Value::Text { text, .. }) => {
            let (Host::Remote(host) | Host::Example(host)) = host_of_address(text)? else {
                return None;
            };
            let what = format!("looks up the host {host} to hash or compare a URL");
            (Rule::UrlHashUsed, what)
        }
        (Use::WritePath, Value::Text { text, is_whole: true }) if is_shared_path(text) => {
            (Rule::FixedPath, format!("writes {text}, a path that every run shares"))
        }
        (Use::ReadPath, Value::Text { text, is_whole: true }) if is_machine_path(text) => {
            (Rule::FixedPath, format!("reads {text}, a path of the machine"))
        }
        (Use::DeleteOnExit, Value::Text { text, is_whole: true }) if is_shared_path(text) => {
            (Rule::DeletedOnExit, format!("leaves {text} until the JVM exits"))
        }
        _ => return None,
    };
    Some(finding(rule, what))
}

/// The finding for a call that asks for a free port, whatever port it gets. `None` for every other kind of call.
pub(super) fn judge_without_value(kind: Use) -> Option<Judgement> {
    let what = "takes a port that was free a moment ago".to_owned();
    (kind == Use::FindPort).then(|| finding(Rule::FreePortReleased, what))
}

fn finding(rule: Rule, what: String) -> Judgement {
    Judgement {
        rule,
        what,
        is_settled: false,
    }
}

fn port_judgement(port: i64) -> Option<Judgement> {
    match port {
        0 => Some(Judgement {
            is_settled: true,
            ..finding(Rule::FixedPort, "binds port 0".to_owned())
        }),
        1..=65535 => Some(finding(Rule::FixedPort, format!("binds the fixed port {port}"))),
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

/// Whether a path is absolute and names a file of the machine, such as `/etc/hosts`, that is no part of the project.
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
