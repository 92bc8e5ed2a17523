//! `peeler pretrain`: learns vectors of sub-tokens and an encoder of method bodies from Java sources without labels.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use peeler_analysis::{MethodCounts, MethodReader};
use peeler_features::NamedMethods;
use peeler_model::Backend;
use peeler_model::code2vec::{Code2vec, NameEpoch, Pretrainer, PretrainingData, PretrainingSettings, RowCounts};

use crate::exit::{ExitStatus, TO_STDOUT};
use crate::keep_out::KeepOut;
use crate::progress;
use crate::source_libraries::{SourceLibrary, held_out, libraries};

/// The exit status of a training that was interrupted by a signal.
const INTERRUPTED: i32 = 130;
/// The number of libraries that are read ahead of the extraction.
const READ_AHEAD: usize = 2;

/// Learn vectors of words and method bodies from Java sources
///
/// A network learns to predict the name of a method from paths in the syntax tree of its body, as code2vec does. No
/// labels are needed. About 5% of the libraries are held out whole: the sub-token F1 of their method names is measured
/// after every epoch, and the best epoch is stored. Ctrl-C stores the best epoch so far.
#[derive(Debug, Args)]
pub(crate) struct PretrainArgs {
    /// Folders with Java sources, source archives (`*-sources.jar`, `*.zip`), or folders that contain some. One archive
    /// or project folder is one library
    #[arg(long, value_name = "DIR|ARCHIVE", required = true, num_args = 1..)]
    sources: Vec<PathBuf>,
    /// Folder to write the vectors and the encoder to
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// List of repositories (`owner/name`) or artifacts, one a line, whose sources must not be read; several are merged
    #[arg(long, value_name = "FILE", num_args = 1..)]
    keep_out: Vec<PathBuf>,
    /// Backend that trains the network: auto, cpu, flex, ndarray or wgpu
    #[arg(long, default_value = "auto")]
    backend: Backend,
    /// Number of epochs
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = positive)]
    epochs: usize,
    /// Methods in a training step
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = positive)]
    batch: usize,
    /// Width of the vectors of sub-tokens and paths; code vectors are three times as wide
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = positive)]
    width: usize,
    /// Learning rate of the first step; it falls to a tenth
    #[arg(long, value_name = "RATE", default_value_t = 0.002)]
    rate: f64,
    /// Most path contexts of a method; of more, a random part is drawn
    #[arg(long, value_name = "N", default_value_t = MethodReader::DEFAULT_CONTEXTS, value_parser = positive)]
    contexts: usize,
    /// Methods that must use a sub-token or path, so that it gets a vector
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = positive)]
    least_methods: usize,
    /// Random seed of drawing, holding out and training
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("give a whole number above 0".to_owned()),
        Ok(number) => Ok(number),
    }
}

pub(crate) fn run(arguments: &PretrainArgs) -> anyhow::Result<ExitStatus> {
    let settings = settings(arguments)?;
    let out = arguments.out.display();
    if arguments.out.join("code2vec.json").exists() {
        bail!("{out} already contains vectors; choose another folder, or delete it");
    }
    let all = libraries(&arguments.sources)?;
    let keep_out = KeepOut::read(&arguments.keep_out)?;
    let (kept_out, read): (Vec<SourceLibrary>, Vec<SourceLibrary>) = all.into_iter().partition(|it| keep_out.names(it));
    if !arguments.keep_out.is_empty() {
        let names: Vec<&str> = kept_out.iter().map(|it| it.name.as_str()).collect();
        let colon = if names.is_empty() { "" } else { ": " };
        eprintln!(
            "{} libraries left out by --keep-out{colon}{}",
            names.len(),
            names.join(", ")
        );
    }
    // A damaged archive is better noticed now than after hours of reading.
    read.iter().try_for_each(SourceLibrary::check)?;
    let is_interrupted = stop_on_interrupt()?;

    let started = Instant::now();
    let (methods, mut data, broken) = named_methods(&read, arguments, &is_interrupted)?;
    data.kept_out_libraries = kept_out.len();
    data.reading_seconds = started.elapsed().as_secs_f64();
    let is_held_out = held_out(&methods.libraries, arguments.seed);
    data.held_out_libraries = is_held_out.iter().filter(|it| **it).count();
    data.held_out_methods = methods.library.iter().filter(|it| is_held_out[**it as usize]).count();
    print_summary(&data, &broken);
    if methods.is_empty() {
        bail!("the sources contain no method that can be learned from; give folders or archives with Java sources");
    }
    let mut trainer = Pretrainer::new(settings.clone(), &methods, &is_held_out)?;
    print_row_counts(trainer.row_counts());
    eprintln!(
        "learning from {} methods; backend {}, seed {}",
        trainer.training_methods(),
        settings.backend,
        settings.seed
    );
    train(&mut trainer, &is_interrupted)?;
    let epochs = trainer.history().to_vec();
    let network = trainer.into_best();
    let size = network.save(&arguments.out, &settings, &data, &epochs)?;
    report(arguments, &network, &epochs, size)?;
    if is_interrupted.load(Ordering::Relaxed) {
        eprintln!("interrupted: {out} contains the best of {} epochs", epochs.len());
        std::process::exit(INTERRUPTED);
    }
    Ok(ExitStatus::Success)
}

fn settings(arguments: &PretrainArgs) -> anyhow::Result<PretrainingSettings> {
    if !(arguments.rate > 0.0 && arguments.rate.is_finite()) {
        bail!(
            "--rate {} is no learning rate; give a number above 0, such as 0.002",
            arguments.rate
        );
    }
    Ok(PretrainingSettings {
        width: arguments.width,
        epochs: arguments.epochs,
        batch: arguments.batch,
        learning_rate: arguments.rate,
        seed: arguments.seed,
        backend: arguments.backend.resolve_for_tensors()?,
        least_methods: arguments.least_methods,
        ..PretrainingSettings::default()
    })
}

/// Counts of what could not be read or used, for the summary.
#[derive(Debug, Default)]
struct LeftOut {
    counts: MethodCounts,
    unreadable: usize,
    too_large: usize,
    without_java: usize,
}

/// The distinct methods of libraries, with counts. Files of the next libraries are read while methods are extracted.
fn named_methods(
    libraries: &[SourceLibrary],
    arguments: &PretrainArgs,
    is_interrupted: &AtomicBool,
) -> anyhow::Result<(NamedMethods, PretrainingData, LeftOut)> {
    let mut reader = MethodReader::new(arguments.contexts, arguments.seed);
    let mut left_out = LeftOut::default();
    let mut data = PretrainingData::default();
    let bar = progress::bar("reading", libraries.len());
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(READ_AHEAD);
        scope.spawn(move || {
            for library in libraries {
                // The receiver is gone after an error.
                if send.send((library, library.read())).is_err() {
                    return;
                }
            }
        });
        for (library, sources) in receive {
            if is_interrupted.load(Ordering::Relaxed) {
                bail!("interrupted before the first epoch; nothing is written");
            }
            match sources? {
                Some(sources) => {
                    left_out.counts.add(&reader.read(&library.name, &sources.files));
                    left_out.unreadable += sources.broken;
                    left_out.too_large += sources.too_large;
                    data.libraries += 1;
                }
                None => left_out.without_java += 1,
            }
            bar.inc(1);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let methods = reader.finish();
    let counts = &left_out.counts;
    data.files = counts.files;
    data.methods = counts.methods;
    data.duplicates = counts.duplicates;
    data.unusable = counts.long_methods + counts.without_contexts;
    data.distinct = methods.len();
    data.contexts = counts.contexts;
    Ok((methods, data, left_out))
}

fn print_summary(data: &PretrainingData, left_out: &LeftOut) {
    let LeftOut {
        counts,
        unreadable,
        too_large,
        without_java,
    } = left_out;
    #[allow(clippy::cast_precision_loss)]
    let speed = data.methods as f64 / data.reading_seconds.max(1e-9);
    eprintln!(
        "{} libraries, {} files, {} methods, read in {:.1} s ({speed:.0} methods/s)\n\
         {} near-duplicates removed, {} distinct methods with {} path contexts\n\
         left out: {} methods with syntax errors (in {} files), {} too long, {} without a path context; {} contexts not \
         drawn",
        data.libraries,
        data.files,
        data.methods,
        data.reading_seconds,
        data.duplicates,
        data.distinct,
        data.contexts,
        counts.broken_methods,
        counts.broken_files,
        counts.long_methods,
        counts.without_contexts,
        counts.contexts_left_out
    );
    for (count, what) in [
        (unreadable, "files in archives could not be read and were skipped"),
        (too_large, "files in archives are larger than 4 MiB and were skipped"),
        (without_java, "archives or folders without Java were skipped"),
    ] {
        if *count > 0 {
            eprintln!("note: {count} {what}");
        }
    }
    match data.held_out_libraries {
        0 => eprintln!("note: one library alone cannot be held out, so there is no F1; the last epoch is stored"),
        count => eprintln!("held out: {count} libraries with {} methods", data.held_out_methods),
    }
}

fn print_row_counts(counts: RowCounts) {
    eprintln!(
        "vectors of {} sub-tokens ({} of them predicted in names) and {} paths",
        counts.words, counts.targets, counts.paths
    );
    let (words, paths) = (
        counts.frequent_words - counts.words,
        counts.frequent_paths - counts.paths,
    );
    if words + paths > 0 {
        eprintln!(
            "note: {words} sub-tokens and {paths} paths have no vector of their own, so that all files fit into 16 MB"
        );
    }
}

/// Trains until the last epoch or an interrupt, with a line for every epoch.
fn train(trainer: &mut Pretrainer<'_>, is_interrupted: &AtomicBool) -> anyhow::Result<()> {
    const STEPS: u64 = 1_000;
    let bar = progress::bar("training", 0);
    bar.set_length(STEPS);
    while !trainer.is_finished() {
        let report = trainer.epoch(&mut |share| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss
            )]
            bar.set_position((share * STEPS as f64) as u64);
            if is_interrupted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        let line = epoch_line(report);
        bar.suspend(|| eprintln!("{line}"));
        if is_interrupted.load(Ordering::Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn epoch_line(report: &NameEpoch) -> String {
    let names = report.held_out.map_or_else(String::new, |it| {
        format!(
            "  held-out names: precision {:.3}  recall {:.3}  F1 {:.3}",
            it.precision(),
            it.recall(),
            it.f1()
        )
    });
    format!(
        "epoch {:>2}  loss {:.4}{names}  {:.0} methods/s  {:.1} s",
        report.epoch, report.loss, report.methods_per_second, report.seconds
    )
}

fn report(arguments: &PretrainArgs, network: &Code2vec, epochs: &[NameEpoch], size: usize) -> anyhow::Result<()> {
    let best = epochs.iter().filter_map(|it| Some(it.held_out?.f1())).reduce(f64::max);
    let f1 = best.map_or_else(String::new, |it| format!(", F1 {it:.3} of names in held-out libraries"));
    #[allow(clippy::cast_precision_loss)]
    let megabytes = size as f64 / 1e6;
    writeln!(
        io::stdout().lock(),
        "vectors in {}: {} sub-tokens, {} paths, {megabytes:.1} MB{f1}",
        arguments.out.display(),
        network.words().count() - 1,
        network.paths().count() - 1
    )
    .context(TO_STDOUT)
}

/// Notes the first SIGINT or SIGTERM, so that the best epoch can be stored. The second one ends the process.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&is_interrupted);
    ctrlc::set_handler(move || {
        if noted.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("\nstopping after this step; interrupt again to end without a result");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(is_interrupted)
}
