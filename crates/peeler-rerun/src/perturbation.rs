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
}

/// The kinds of changes of a test's environment that a user can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PerturbationKind {
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
}

impl PerturbationKind {
    /// All kinds of changes of a test's environment that a user can choose.
    pub const ALL: [Self; 6] = [
        Self::Order,
        Self::Stress,
        Self::Zone,
        Self::Locale,
        Self::Processors,
        Self::Interpreted,
    ];

    /// The changed environments of this kind in which tests are run, such as two time zones.
    ///
    /// There are none for `Order`, because shuffled orders are made from seeds.
    #[must_use]
    pub fn conditions(self) -> Vec<Perturbation> {
        let zone = |id: &str| Perturbation::Zone { id: id.to_owned() };
        let locale = |language: &str, country: &str| Perturbation::Locale {
            language: language.to_owned(),
            country: country.to_owned(),
        };
        match self {
            Self::Order => Vec::new(),
            Self::Stress => vec![Perturbation::Stress {
                threads: stress_threads(),
            }],
            // The zones are far ahead of and behind UTC, so that one of them has another date at any time of day.
            Self::Zone => vec![zone("Pacific/Kiritimati"), zone("Pacific/Pago_Pago")],
            // Turkish has another upper case of `i`, German another decimal point.
            Self::Locale => vec![locale("tr", "TR"), locale("de", "DE")],
            Self::Processors => vec![Perturbation::Processors { count: 1 }],
            Self::Interpreted => vec![Perturbation::Interpreted],
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
    /// Whether nothing is changed, neither the environment nor the order of tests.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Whether the changed environment slows tests down, so that a timeout proves nothing.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        matches!(self, Self::Stress { .. } | Self::Processors { .. } | Self::Interpreted)
    }

    /// The options of `java` that change the environment of tests in this way, such as `-Duser.timezone=Asia/Kolkata`.
    #[must_use]
    pub fn jvm_options(&self) -> Vec<String> {
        match self {
            Self::None | Self::Order { .. } | Self::Stress { .. } => Vec::new(),
            Self::Zone { id } => vec![format!("-Duser.timezone={id}")],
            Self::Locale { language, country } => vec![
                format!("-Duser.language={language}"),
                format!("-Duser.country={country}"),
            ],
            Self::Processors { count } => vec![format!("-XX:ActiveProcessorCount={count}")],
            Self::Interpreted => vec!["-Xint".to_owned()],
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
    /// Starts the threads for [`Perturbation::Stress`]; no thread for any other change of the environment.
    #[must_use]
    pub fn start(perturbation: &Perturbation) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let threads = match perturbation {
            Perturbation::Stress { threads } => *threads,
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
    fn every_kind_but_order_and_stress_is_a_matter_of_jvm_options() {
        for kind in PerturbationKind::ALL {
            for condition in kind.conditions() {
                let has_options = !condition.jvm_options().is_empty();
                assert_eq!(has_options, kind != PerturbationKind::Stress, "{condition:?}");
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
