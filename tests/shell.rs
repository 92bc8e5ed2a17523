//! Completions and manual pages, as shells and `man` read them.

mod support;

use std::process::Command;

use support::{Project, Ran};

/// The commands of the program, read from its help.
fn commands(project: &Project) -> Vec<String> {
    let help = project.peeler(&["--help"]).ended(0).stdout;
    let listed = help.split("Commands:\n").nth(1).expect("commands");
    let names = listed.lines().take_while(|it| it.starts_with("  "));
    let names = names.filter_map(|it| {
        it.strip_prefix("  ")?
            .split_whitespace()
            .next()
            .filter(|_| !it.starts_with("   "))
    });
    names.filter(|it| *it != "help").map(str::to_owned).collect()
}

#[test]
fn bash_reads_its_completions_and_completes_commands_and_options() {
    let project = Project::empty();
    let script = project.peeler(&["completions", "bash"]).ended(0).stdout;
    project.write("peeler.bash", &script);
    let bash =
        |arguments: &[&str]| Ran::of(Command::new("bash").args(arguments).current_dir(project.path("."))).ended(0);
    bash(&["-n", "peeler.bash"]);
    let complete = |words: &str| {
        let ask = format!(
            "source peeler.bash; COMP_WORDS=({words} ''); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _peeler peeler '' \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        bash(&["-c", &ask])
            .stdout
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let offered = complete("peeler");
    for command in commands(&project) {
        assert!(offered.contains(&command), "{command}: {offered:?}");
    }
    let offered = complete("peeler scan");
    for option in ["--baseline", "--format", "--min-probability", "--write-baseline"] {
        assert!(offered.iter().any(|it| it == option), "{option}: {offered:?}");
    }
    assert!(complete("peeler scan --format").contains(&"sarif".to_owned()));
}

#[test]
fn every_shell_gets_a_script_that_knows_all_commands() {
    let project = Project::empty();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = project.peeler(&["completions", shell]).ended(0).stdout;
        for command in commands(&project) {
            assert!(script.contains(&command), "{shell} does not know {command}");
        }
    }
    project
        .peeler(&["completions", "dos"])
        .refused(&["dos", "bash", "fish", "zsh"]);
}

#[test]
fn the_manual_page_has_the_commands_and_each_of_them_a_page() {
    let project = Project::empty();
    let page = project.peeler(&["man"]).ended(0).stdout;
    assert!(page.contains(".TH peeler 1"), "{page}");
    project.peeler(&["man", "--out", "pages/man1"]).ended(0);
    assert_eq!(project.read("pages/man1/peeler.1"), page);
    let commands = commands(&project);
    assert!(commands.len() >= 10, "{commands:?}");
    for command in &commands {
        assert!(page.contains(&format!("peeler\\-{command}(1)")), "{command}: {page}");
        let own = project.read(&format!("pages/man1/peeler-{command}.1"));
        assert!(own.contains(&format!(".TH peeler-{command} 1")), "{own}");
    }
    let scan = project.read("pages/man1/peeler-scan.1");
    for option in ["\\-\\-baseline", "\\-\\-min\\-probability", "\\-\\-exit\\-zero"] {
        assert!(scan.contains(option), "{option}: {scan}");
    }
    assert!(
        project
            .read("pages/man1/peeler-corpus-build.1")
            .contains("\\-\\-labels")
    );
}

#[test]
fn pages_go_into_a_folder_or_nowhere() {
    let project = Project::of(&[("file", "")]);
    project
        .peeler(&["man", "--out", "file/pages"])
        .refused(&["file/pages", "choose another one with --out"]);
}
