//! Prints the events of a repository as CSV, with the time that mining took on standard error.
//!
//! ```text
//! cargo run --release -p peeler-mine --example mine -- FOLDER [NAME]
//! ```

use std::path::Path;
use std::time::Instant;

use peeler_mine::{Request, mine};

fn main() -> Result<(), peeler_mine::MineError> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let request = Request {
        repository: arguments.next(),
        ..Request::default()
    };
    let start = Instant::now();
    let mined = mine(Path::new(&folder), &request, &|_, _| {})?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "{} commits, {} events, {seconds:.1} s",
        mined.commits,
        mined.events.len()
    );
    println!("repository,commit,path,test,fix,date,evidence,cause,certainty,class,today");
    for it in &mined.events {
        let today = it
            .today
            .as_ref()
            .map_or(String::new(), |it| format!("{}#{}", it.class, it.test));
        println!(
            "{},{},{},{},{},{},{},{},{:.2},{},{today}",
            mined.repository,
            it.commit,
            it.path,
            it.test,
            it.fix,
            it.date,
            it.evidence.name(),
            it.causes.join("|"),
            it.certainty,
            it.class
        );
    }
    Ok(())
}
