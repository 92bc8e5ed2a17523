//! The events of a git history as CSV, one row for each event.

use std::io::{self, Write};

use peeler_mine::Mined;

/// The columns of the CSV output of `peeler mine`. The first eight are those of the label files that
/// `corpus/measure-mined` reads.
const COLUMNS: [&str; 13] = [
    "repository",
    "commit",
    "path",
    "test",
    "fix",
    "date",
    "evidence",
    "cause",
    "certainty",
    "class",
    "today_path",
    "today_class",
    "today_test",
];

/// Writes the events of a mined history as CSV, with a header and one row for each event.
pub(crate) fn write(mined: &Mined, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for event in &mined.events {
        let causes = event.causes.join("|");
        let certainty = format!("{:.2}", event.certainty);
        let today = event.today.as_ref();
        let today = |field: fn(&peeler_mine::TestLocation) -> &String| today.map_or("", |it| field(it).as_str());
        let row = [
            &mined.repository,
            &event.commit,
            &event.path,
            &event.test,
            &event.fix,
            &event.date,
            event.evidence.name(),
            &causes,
            &certainty,
            &event.class,
            today(|it| &it.path),
            today(|it| &it.class),
            today(|it| &it.test),
        ];
        let cells: Vec<String> = row.iter().map(|it| quoted(it)).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

/// A cell of CSV. It is put in quotes if it contains a comma, a quote or a line break.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn commas_and_quotes_do_not_end_a_cell() {
        assert_eq!(quoted("a/b.java"), "a/b.java");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
