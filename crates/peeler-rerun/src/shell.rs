//! Names and paths, quoted as words of shell commands.
//!
//! ```text
//! my project     'my project'
//! -x/$HOME       './-x/$HOME'      a path; no program takes it for an option
//! ```
//!
//! Invariant: a POSIX shell reads a word as exactly the name, and a person sees it on one line. A name for which that
//! is impossible has no word.

/// A name, quoted where needed as a word of a shell command. `None` for a name with control or invisible characters, or
/// with blanks at its ends or beside each other.
#[must_use]
pub fn word(name: &str) -> Option<String> {
    let is_shown = name.chars().all(is_shown);
    let mut blanks = name.split(' ');
    let is_even = name.is_empty() || blanks.all(|it| !it.is_empty());
    if !is_shown || !is_even {
        return None;
    }
    shlex::try_quote(name).ok().map(std::borrow::Cow::into_owned)
}

/// A path, quoted where needed as a word of a shell command, with `./` before a path that begins with a dash. `None` if
/// [`word`] rejects the path.
#[must_use]
pub fn path_word(path: &str) -> Option<String> {
    if path.starts_with('-') {
        return word(&format!("./{path}"));
    }
    word(path)
}

/// The `peeler confirm` command in a text, quoted anew, so that nothing in it is shell syntax. `None` for any other
/// text.
#[must_use]
pub fn replay_command(text: &str) -> Option<String> {
    let words = shlex::split(text)?;
    if !matches!(words.as_slice(), [program, verb, ..] if program == "peeler" && verb == "confirm") {
        return None;
    }
    let words: Option<Vec<String>> = words.iter().map(|it| word(it)).collect();
    Some(words?.join(" "))
}

fn is_shown(character: char) -> bool {
    match character {
        ' ' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => false,
        _ => !character.is_control() && !character.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word_or_none() {
        for name in [
            "plain",
            "my project",
            "a'; rm -rf $HOME `id`",
            "!x",
            "#x",
            "~",
            "*?[a]",
            "\\",
            "\"",
            "",
            "é",
        ] {
            let word = word(name).expect("a word");
            assert_eq!(shlex::split(&word), Some(vec![name.to_owned()]), "{word}");
        }
        for name in [
            "a\nb",
            "a\0",
            "\u{1b}[1m",
            "\u{202e}x",
            "a  b",
            " a",
            "a ",
            "\t",
            "\u{a0}",
        ] {
            assert_eq!(word(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_path_is_never_an_option() {
        assert_eq!(path_word("-x"), Some("./-x".to_owned()));
        assert_eq!(path_word("a/-x"), Some("a/-x".to_owned()));
    }

    #[test]
    fn a_recorded_command_holds_no_shell_syntax() {
        let command = "peeler confirm 'my project' --replay log.jsonl --test 'a.B$C#m'";
        assert_eq!(replay_command(command).as_deref(), Some(command));
        let hostile = replay_command("peeler confirm . ; rm -rf $HOME").expect("words");
        assert_eq!(shlex::split(&hostile).map(|it| it.len()), Some(7));
        assert!(hostile.contains("';'") && hostile.contains("'$HOME'"), "{hostile}");
        for other in [
            "rm -rf .",
            "peeler",
            "peeler scan .",
            "peeler confirm 'open",
            "peeler confirm 'a\nb'",
            "",
        ] {
            assert_eq!(replay_command(other), None, "{other}");
        }
    }
}
