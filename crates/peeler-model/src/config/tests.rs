//! Tests of the configuration: values that cannot be used, and its file.

use super::*;

#[test]
fn a_configuration_that_cannot_be_used_says_why() {
    let wrong = |config: Config| config.check().unwrap_err().to_string();
    let unprepared = Config {
        paths_from: Some(0.1),
        ..Config::default()
    };
    assert!(wrong(unprepared).contains("`path_dropout`"));
    let deep = Config {
        depth: 4,
        ..Config::default()
    };
    assert_eq!(wrong(deep), "`depth` is 4; calls are followed 3 deep at most");
    let free = Config {
        regression: Some(-1.0),
        ..Config::default()
    };
    assert!(wrong(free).contains("`regression` is -1"));
    let all = Config {
        regression_share: 1.5,
        ..Config::default()
    };
    assert!(wrong(all).contains("`regression_share` is 1.5"));
    let wide = Config {
        hidden: usize::MAX,
        ..Config::default()
    };
    assert!(wrong(wide).ends_with("it must be at most 1048576"));
    let rare = Config {
        stable_per_flaky: usize::MAX,
        ..Config::default()
    };
    assert!(wrong(rare).starts_with("`batch` is 128, too small"));
    Config::default().check().expect("the default can be used");
    Config::paper().check().expect("the paper's can be used");
}

#[test]
fn values_that_are_switched_off_are_zero_in_a_file() {
    let written = toml::to_string(&Config::paper()).expect("plain data");
    assert!(written.contains("regression = 0.0") && written.contains("paths_from = 0.0"));
    let read: Config = toml::from_str(&written).expect("just written");
    assert_eq!(read, Config::paper());
    let read: Config = toml::from_str("regression = 0\npaths_from = 0.25").expect("a file by hand");
    assert_eq!((read.regression, read.paths_from), (None, Some(0.25)));
    let silent: Config = toml::from_str("").expect("an empty file");
    assert_eq!(silent, Config::default());
}
