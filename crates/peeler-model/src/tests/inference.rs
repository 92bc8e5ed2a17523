//! Tests of scores: by hand-written code and by the Burn library, alone and in a batch, with and without paths.

use burn::tensor::Device;
use peeler_features::{Depth, GraphFeatures, MAX_DEPTH, TestFeatures, encode};
use peeler_learning::calibration::logit;

use super::bench::{Bench, assert_close, configurations, every, model, scores, small};
use crate::backend::Backend;
use crate::config::Config;
use crate::member::Member;
use crate::regression::Regression;
use crate::score::Score;
use peeler_features::Dataset;

#[test]
fn burn_and_the_arithmetic_by_hand_agree() {
    for config in configurations() {
        let bench = Bench::new(config);
        let tests = bench.all();
        let member = bench.network_member();
        let by_hand = scores(bench.view(), &member, &tests, None);
        let in_burn = scores(bench.view(), &member, &tests, Some(&Device::flex()));
        assert_close(&by_hand, &in_burn, 1e-4);
        let spread = by_hand.iter().map(|it| it.probability).fold(0.0, f32::max)
            - by_hand.iter().map(|it| it.probability).fold(1.0, f32::min);
        assert!(spread > 1e-3, "tests are told apart");
    }
}

#[test]
fn a_test_scores_alone_as_it_does_beside_others() {
    let model = model();
    let tests = every(5);
    let predict = |tests: &[&TestFeatures<'_>]| model.predict(tests, Backend::Cpu).unwrap();
    let together = predict(&tests.iter().collect::<Vec<_>>());
    for (test, beside) in tests.iter().zip(together) {
        let alone = predict(&[test]).remove(0);
        assert_eq!(alone, beside);
    }
}

#[test]
fn samples_score_as_their_dataset_does() {
    for paths_from in [None, Some(0.3)] {
        let mut model = model();
        model.config.paths_from = paths_from;
        let tests = every(7);
        let dataset = encode(&tests, model.config.depth, Depth::WithPaths);
        let whole = model.predict_dataset(&dataset, Backend::Cpu).unwrap();
        let judged = model.predict(&tests.iter().collect::<Vec<_>>(), Backend::Cpu).unwrap();
        assert_eq!(whole.len(), judged.len());
        for (whole, judged) in whole.into_iter().zip(&judged) {
            assert!((whole.probability - judged.probability).abs() < 1e-5);
            assert_eq!(
                whole.attention.map(|it| it.len()),
                judged.attention.as_ref().map(Vec::len)
            );
        }
    }
}

#[test]
fn what_lies_too_deep_is_not_read() {
    let tests = every(1);
    let read = |call_depth: usize| encode(&tests, call_depth, Depth::WithPaths);
    let (shallow, deep) = (read(1), read(MAX_DEPTH));
    // Names begin with their origin and their depth.
    let is_deep = |it: &&str| it[1..].starts_with('2');
    assert!(deep.calls.iter().any(|it| is_deep(&it)));
    assert_eq!(shallow.calls.iter().find(is_deep), None);
    let causes = |it: &Dataset| -> Vec<String> { it.causes.iter().map(str::to_owned).collect() };
    assert!(causes(&deep).iter().any(|it| it.ends_with(" 2")));
    let too_much = |it: &String| it.ends_with(" 2") || it.ends_with(" 3") || it.starts_with("first ");
    assert_eq!(causes(&shallow).into_iter().find(too_much), None);
    assert!(causes(&shallow).iter().any(|it| it.ends_with(" 1")));
    let sum = |it: &Dataset| -> f32 { it.tests.iter().flat_map(|it| it.measures).sum() };
    assert!(sum(&shallow) < sum(&deep));
}

#[test]
fn the_probability_of_a_test_does_not_depend_on_its_batch() {
    for config in configurations() {
        let bench = Bench::new(config);
        let member = bench.network_member();
        let tests = bench.all();
        for device in [None, Some(&Device::flex())] {
            let together = scores(bench.view(), &member, &tests, device);
            let alone: Vec<Score> = tests
                .iter()
                .take(10)
                .flat_map(|it| scores(bench.view(), &member, &[*it], device))
                .collect();
            assert_close(&together[..10], &alone, 1e-5);
        }
    }
}

#[test]
fn a_test_without_paths_scores_alike_alone_and_beside_others() {
    let mut tests = every(1);
    tests.truncate(9);
    tests.reverse();
    let without_paths = tests.last_mut().expect("nine tests");
    without_paths.graph = GraphFeatures::default();
    let model = model();
    let last = |tests: &[TestFeatures<'_>]| {
        let dataset = encode(tests, model.config.depth, Depth::WithPaths);
        let predictions = model.predict_dataset(&dataset, Backend::Cpu).unwrap();
        predictions.last().unwrap().probability
    };
    assert!((last(&tests[8..]) - last(&tests)).abs() < 1e-5);
}

#[test]
fn a_regression_is_averaged_with_the_network_and_pulls_towards_what_it_learned() {
    let bench = Bench::new(small(Config::default()));
    let tests = bench.all();
    let (alone, both, regression) = (bench.network_member(), bench.member(), bench.regression());
    let from_file = |weights| Member::from_weights(&bench.config, &bench.vocabulary, weights);
    assert_eq!(from_file(both.to_weights()).expect("fitted to this vocabulary"), both);
    let missing = from_file(alone.to_weights()).expect_err("there is no regression");
    assert_eq!(missing.to_string(), "`linear.rarity` is missing");
    let mean_logit = |scores: &[Score], flaky: bool| -> f32 {
        let own = scores.iter().zip(&bench.flaky).filter(|it| *it.1 == flaky);
        let logits: Vec<f32> = own.map(|(it, _)| logit(it.probability)).collect();
        logits.iter().sum::<f32>() / f32::from(u16::try_from(logits.len()).expect("a few tests"))
    };
    for device in [None, Some(&Device::flex())] {
        let means = scores(bench.view(), &both, &tests, device);
        // An untrained network does not separate the two classes.
        assert!(mean_logit(&means, true) > mean_logit(&means, false) + 1.0);
        let network = scores(bench.view(), &alone, &tests, device);
        let linear = regression.logits(bench.view(), &tests);
        for ((mean, network), linear) in means.iter().zip(&network).zip(linear) {
            let expected = f32::midpoint(logit(network.probability), linear);
            assert!((logit(mean.probability) - expected).abs() < 1e-3);
            assert_eq!(mean.attention, network.attention);
        }
    }
}

#[test]
fn a_regression_without_tests_of_one_class_says_nothing() {
    let bench = Bench::new(small(Config::default()));
    let stable: Vec<usize> = (0..bench.dataset.len()).filter(|it| !bench.flaky[*it]).collect();
    let fitted = Regression::fit(bench.view(), 1.0, &stable, &bench.flaky, &[]);
    let logits = fitted.logits(bench.view(), &stable);
    let share = logit(0.25);
    assert!(logits.iter().all(|it| (it - share).abs() < 1e-3), "{logits:?}");
}

#[test]
fn a_regression_with_contrast_sets_a_test_apart_from_its_fixed_version() {
    let mut bench = Bench::new(small(Config::default()));
    let tests = bench.all();
    let first = |flaky: bool| {
        tests
            .iter()
            .copied()
            .find(|it| bench.flaky[*it] == flaky)
            .expect("both")
    };
    let pair = (first(true), first(false));
    let fit = |bench: &Bench, learned: &[usize]| Regression::fit(bench.view(), 1.0, learned, &bench.flaky, &[pair]);
    let margin = |bench: &Bench| {
        let logits = fit(bench, &tests).logits(bench.view(), &[pair.0, pair.1]);
        logits[0] - logits[1]
    };
    let without = margin(&bench);
    bench.config.contrast = 9.0;
    assert!(margin(&bench) > without + 0.5, "{} and {without}", margin(&bench));

    // A pair of which one test is held out is not learned from.
    let others: Vec<usize> = tests.iter().copied().filter(|it| *it != pair.1).collect();
    let held_out = fit(&bench, &others);
    bench.config.contrast = 0.0;
    assert_eq!(held_out, fit(&bench, &others));
}

#[test]
fn a_regression_with_ranking_sets_flaky_tests_apart_from_stable_ones_of_their_project() {
    let mut bench = Bench::new(small(Config::default()));
    let tests = bench.all();
    let project = |bench: &Bench, at: usize| bench.dataset.tests[at].project;
    let margin = |bench: &Bench| {
        let logits = Regression::fit(bench.view(), 0.05, &tests, &bench.flaky, &[]).logits(bench.view(), &tests);
        let flaky = tests.iter().filter(|it| bench.flaky[**it]);
        let margins = flaky.flat_map(|one| {
            let others = tests
                .iter()
                .filter(|it| !bench.flaky[**it] && project(bench, **it) == project(bench, *one));
            others.map(|other| logits[*one] - logits[*other]).collect::<Vec<_>>()
        });
        let margins: Vec<f32> = margins.collect();
        margins.iter().sum::<f32>() / f32::from(u16::try_from(margins.len()).expect("a few pairs"))
    };
    let without = margin(&bench);
    bench.config.ranking = 4.0;
    assert!(margin(&bench) > without + 0.2, "{} and {without}", margin(&bench));
}

#[test]
fn paths_are_read_of_tests_that_score_high_without_them() {
    let mut bench = Bench::new(small(Config::default()));
    let tests = bench.all();
    let member = bench.member();
    let whole = scores(bench.view(), &member, &tests, None);
    bench.config.paths_from = Some(0.999);
    let quick = scores(bench.view(), &member, &tests, None);
    assert!(quick.iter().all(|it| it.attention.is_none()), "no test scores so high");
    let mut probabilities: Vec<f32> = quick.iter().map(|it| it.probability).collect();
    probabilities.sort_by(f32::total_cmp);
    let paths_from = probabilities[tests.len() / 2];
    bench.config.paths_from = Some(paths_from);
    for device in [None, Some(&Device::flex())] {
        let found = scores(bench.view(), &member, &tests, device);
        for ((found, quick), whole) in found.iter().zip(&quick).zip(&whole) {
            let expected = if quick.probability >= paths_from + 1e-4 {
                whole
            } else if quick.probability < paths_from - 1e-4 {
                quick
            } else {
                continue;
            };
            assert_close(std::slice::from_ref(found), std::slice::from_ref(expected), 1e-4);
        }
        let read = found.iter().filter(|it| it.attention.is_some()).count();
        assert!(read > 0 && read < tests.len(), "{read} of {}", tests.len());
    }
}

/// Tests that need a Vulkan adapter; `crates/peeler-model/gpu-tests wgpu` runs them.
#[cfg(feature = "wgpu")]
mod on_a_gpu_by_wgpu {
    use super::*;

    #[test]
    fn scores_are_those_of_the_cpu() {
        let device = Backend::Wgpu.device().expect("a Vulkan adapter");
        for config in configurations() {
            let bench = Bench::new(config);
            let tests: Vec<usize> = (0..12).collect();
            let member = bench.network_member();
            let on_cpu = scores(bench.view(), &member, &tests, None);
            assert_close(&on_cpu, &scores(bench.view(), &member, &tests, Some(&device)), 1e-3);
        }
    }
}
