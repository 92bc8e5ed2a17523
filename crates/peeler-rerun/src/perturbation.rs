//! Perturbations: changes of the environment of a test that do not touch its code.
//!
//! Plain reruns repeat the same conditions and miss most flakiness. A perturbation changes a condition that no test
//! should depend on. Examples are the order of tests, the load or speed of the machine, the time zone and the language.
//!
//! Invariant: the value of a perturbation, including its random seed, is enough to change the environment in the same
//! way again.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};

/// A change of the environment of a test run, such as another time zone or a shuffled order of tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Perturbation {
    /// Nothing in the environment is changed.
    #[default]
    None,
    /// Tests run in a shuffled order.
    Order {
        /// The random seed of the shuffled order.
        seed: u64,
    },
    /// Threads of Peeler keep the processors busy.
    Stress {
        /// The number of threads that keep processors busy.
        threads: usize,
    },
    /// The JVM has another default time zone.
    Zone {
        /// The name of the time zone, such as `Asia/Kolkata`.
        id: String,
    },
    /// The JVM has another default locale.
    Locale {
        /// The language of the locale, such as `tr`.
        language: String,
        /// The country of the locale, such as `TR`.
        country: String,
    },
    /// The JVM sees fewer processors, which changes the timing of threads.
    Processors {
        /// The number of processors that the JVM sees.
        count: usize,
    },
    /// The JVM only interprets bytecode, which makes everything slow.
    Interpreted,
    /// The JVM has another default charset.
    Charset {
        /// The name of the charset, such as `US-ASCII`.
        name: String,
    },
    /// Threads that tests start get the lowest priority, while other threads of Peeler keep the processors busy.
    Delay {
        /// The number of threads that keep processors busy.
        threads: usize,
    },
    /// The library of Java behaves differently where its documentation allows it, such as the order of a `HashMap`.
    ///
    /// NonDex does this with changed classes of the JDK.
    #[serde(rename = "nondex")]
    NonDex {
        /// The random seed of NonDex.
        seed: u32,
        /// The part of the shuffles that NonDex makes, by the numbers of the first and the last; `None` for all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<(u64, u64)>,
    },
}

/// The kinds of changes of a test's environment that a user can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PerturbationKind {
    /// Unspecified behaviour of the library of Java varies.
    NonDex,
    /// Tests run in shuffled orders.
    Order,
    /// Tests run while all processors are busy.
    Stress,
    /// Tests run in other time zones.
    Zone,
    /// Tests run in other locales.
    Locale,
    /// Tests run in a JVM that sees a single processor.
    Processors,
    /// Tests run in a JVM that only interprets bytecode.
    Interpreted,
    /// Tests run with other default charsets.
    Charset,
    /// Threads that tests start get few turns.
    Delay,
}

impl PerturbationKind {
    /// All kinds of changes of a test's environment that a user can choose.
    pub const ALL: [Self; 9] = [
        Self::NonDex,
        Self::Order,
        Self::Stress,
        Self::Zone,
        Self::Locale,
        Self::Processors,
        Self::Interpreted,
        Self::Charset,
        Self::Delay,
    ];

    /// The changed environments of this kind in which tests are run, such as two time zones.
    ///
    /// There are none for `Order` and `NonDex`, which are made from seeds.
    #[must_use]
    pub fn conditions(self) -> Vec<Perturbation> {
        let zone = |id: &str| Perturbation::Zone { id: id.to_owned() };
        let locale = |language: &str, country: &str| Perturbation::Locale {
            language: language.to_owned(),
            country: country.to_owned(),
        };
        let charset = |name: &str| Perturbation::Charset { name: name.to_owned() };
        match self {
            Self::Order | Self::NonDex => Vec::new(),
            Self::Stress => vec![Perturbation::Stress {
                threads: stress_threads(),
            }],
            // The zones are far ahead of and behind UTC, so that one of them has another date at any time of day.
            Self::Zone => vec![zone("Pacific/Kiritimati"), zone("Pacific/Pago_Pago")],
            // Turkish has another upper case of `i`, German another decimal point.
            Self::Locale => vec![locale("tr", "TR"), locale("de", "DE")],
            Self::Processors => vec![Perturbation::Processors { count: 1 }],
            Self::Interpreted => vec![Perturbation::Interpreted],
            // The charset of a machine without a language, and that of Windows in western Europe.
            Self::Charset => vec![charset("US-ASCII"), charset("windows-1252")],
            Self::Delay => vec![Perturbation::Delay {
                threads: stress_threads(),
            }],
        }
    }
}

/// The number of threads that keep the processors busy: two for each processor, at most 16 so that the machine stays
/// usable.
fn stress_threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    (2 * processors).min(16)
}

impl Perturbation {
    /// The kind of this change of the environment; `None` if nothing is changed.
    #[must_use]
    pub fn kind(&self) -> Option<PerturbationKind> {
        Some(match self {
            Self::None => return None,
            Self::Order { .. } => PerturbationKind::Order,
            Self::Stress { .. } => PerturbationKind::Stress,
            Self::Zone { .. } => PerturbationKind::Zone,
            Self::Locale { .. } => PerturbationKind::Locale,
            Self::Processors { .. } => PerturbationKind::Processors,
            Self::Interpreted => PerturbationKind::Interpreted,
            Self::Charset { .. } => PerturbationKind::Charset,
            Self::Delay { .. } => PerturbationKind::Delay,
            Self::NonDex { .. } => PerturbationKind::NonDex,
        })
    }

    /// Whether nothing is changed, neither the environment nor the order of tests.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Whether the changed environment slows tests down, so that a timeout proves nothing.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        matches!(
            self,
            Self::Stress { .. }
                | Self::Processors { .. }
                | Self::Interpreted
                | Self::Delay { .. }
                | Self::NonDex { .. }
        )
    }

    /// The options of `java` that change the environment of tests in this way, such as `-Duser.timezone=Asia/Kolkata`.
    #[must_use]
    pub fn jvm_options(&self) -> Vec<String> {
        match self {
            Self::None | Self::Order { .. } | Self::Stress { .. } | Self::Delay { .. } => Vec::new(),
            Self::Zone { id } => vec![format!("-Duser.timezone={id}")],
            Self::Locale { language, country } => vec![
                format!("-Duser.language={language}"),
                format!("-Duser.country={country}"),
            ],
            Self::Processors { count } => vec![format!("-XX:ActiveProcessorCount={count}")],
            Self::Interpreted => vec!["-Xint".to_owned()],
            Self::Charset { name } => vec![format!("-Dfile.encoding={name}")],
            Self::NonDex { seed, part } => {
                let mut options = vec![format!("-DnondexSeed={seed}"), "-DnondexLogging=OFF".to_owned()];
                if let Some((first, last)) = part {
                    options.extend([format!("-DnondexStart={first}"), format!("-DnondexEnd={last}")]);
                    options.push(format!("-DnondexPrintstack={}", first == last));
                }
                options
            }
        }
    }

    /// The change of the environment as a phrase for reports, such as `time zone Asia/Kolkata`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::None => "nothing changed".to_owned(),
            Self::Order { seed } => format!("order shuffled with seed {seed}"),
            Self::Stress { threads } => format!("{threads} threads keeping the processors busy"),
            Self::Zone { id } => format!("time zone {id}"),
            Self::Locale { language, country } => format!("locale {language}_{country}"),
            Self::Processors { count } => format!("{count} processor for the JVM"),
            Self::Interpreted => "a JVM that only interprets".to_owned(),
            Self::Charset { name } => format!("charset {name}"),
            Self::Delay { threads } => format!("threads of tests delayed by {threads} busy ones"),
            Self::NonDex { seed, part: None } => format!("unspecified behaviour shuffled by NonDex with seed {seed}"),
            Self::NonDex {
                seed,
                part: Some((first, last)),
            } => format!("shuffles {first} to {last} of NonDex with seed {seed}"),
        }
    }
}

/// Threads that keep the processors busy until this value is dropped.
#[derive(Debug)]
pub struct StressThreads {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl StressThreads {
    /// Starts the threads for [`Perturbation::Stress`] and [`Perturbation::Delay`]; no thread for any other change of
    /// the environment.
    #[must_use]
    pub fn start(perturbation: &Perturbation) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let threads = match perturbation {
            Perturbation::Stress { threads } | Perturbation::Delay { threads } => *threads,
            _ => 0,
        };
        let threads = (0..threads)
            .map(|_| {
                let over = Arc::clone(&over);
                std::thread::spawn(move || {
                    while !over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                })
            })
            .collect();
        Self { over, threads }
    }
}

impl Drop for StressThreads {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_but_a_load_is_a_matter_of_jvm_options() {
        for kind in PerturbationKind::ALL {
            for condition in kind.conditions() {
                let has_options = !condition.jvm_options().is_empty();
                let is_load = matches!(kind, PerturbationKind::Stress | PerturbationKind::Delay);
                assert_eq!(has_options, !is_load, "{condition:?}");
            }
        }
    }

    #[test]
    fn stress_is_bounded_and_ends_with_its_value() {
        let stress = StressThreads::start(&PerturbationKind::Stress.conditions()[0]);
        let threads = stress.threads.len();
        assert!((2..=16).contains(&threads), "{threads}");
        let over = Arc::clone(&stress.over);
        drop(stress);
        assert_eq!(Arc::strong_count(&over), 1, "every thread has given its share back");
    }
}
