//! Figures of an evaluation as SVG documents.
//!
//! Each function returns one document that needs no other file and is the same on every run. The n-th model has the
//! same colour in every figure and the same dashes in every line, so figures can be compared, also without colours.
//! Names may be any text and are escaped.
//!
//! Invariant: any input gives a figure. Points and bars that are not finite are left out.
//!
//! The caller chooses and sorts the models and projects.

use std::io;

use plotters::coord::types::RangedCoordf64;
use plotters::coord::{CoordTranslate, Shift};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use peeler_learning::metrics;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type UnitSquare<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type DrawingResult = Result<(), DrawingAreaErrorKind<io::Error>>;

/// The figure of precision over recall, as SVG.
///
/// Each model has a curve of `(recall, precision)` from high to low thresholds. Curves are drawn as steps, because the
/// area under the steps is the average precision.
#[must_use]
pub fn precision_recall_svg(curves: &[(String, Vec<(f64, f64)>)]) -> String {
    let models = curves.iter().map(|(model, _)| model.as_str()).collect::<Vec<_>>();
    unit_square_svg(["Recall", "Precision"], &models, |square| {
        for (index, (_, points)) in curves.iter().enumerate() {
            draw_line(square, index, steps(points))?;
        }
        Ok(())
    })
}

/// The figure of average precision by project: a row for each project with a bar for each model.
///
/// The figure grows with the number and the names of projects; nothing is cut off.
#[must_use]
pub fn project_bars_svg(models: &[String], projects: &[(String, Vec<f64>)]) -> String {
    let bar = if models.len() > 2 { 6 } else { 8 };
    let row = (pixels(models.len()) * bar + 6).max(18);
    let rows = row * pixels(projects.len().max(1));
    let left = 16 + text_width(projects.iter().map(|(project, _)| project.as_str()));
    let models = models.iter().map(String::as_str).collect::<Vec<_>>();
    let legend = legend_width(&models);
    let legend_height = LEGEND_ROW * pixels(models.len()) + 2 * MARGIN;
    let height = (rows + 2 * (MARGIN + AXIS)).max(legend_height);

    svg((left + BARS + MARGIN + legend, height), |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .margin_top(MARGIN)
            .margin_bottom(height - rows - 2 * AXIS - MARGIN)
            .margin_right(MARGIN + legend)
            // With hundreds of rows the axis below the last row is not visible.
            .top_x_label_area_size(AXIS)
            .x_label_area_size(AXIS)
            .y_label_area_size(left)
            .build_cartesian_2d(0.0..1.0, f64::from(rows)..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_labels(11)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .x_label_formatter(&|value| format!("{value:.1}"))
            .label_style(label())
            .x_desc("Average precision")
            .axis_desc_style(label())
            .draw()?;

        for (index, (project, values)) in projects.iter().enumerate() {
            let top = row * pixels(index);
            let middle = chart.backend_coord(&(0.0, f64::from(top + row / 2)));
            let right_aligned = label().pos(Pos::new(HPos::Right, VPos::Center));
            canvas.draw_text(&printable(project), &right_aligned, (middle.0 - 6, middle.1))?;
            if index > 0 {
                let line = [(0.0, f64::from(top)), (1.0, f64::from(top))];
                chart.plotting_area().draw(&PathElement::new(line, GRID))?;
            }
            let first = top + (row - bar * pixels(models.len())) / 2;
            // A value of 0 is drawn as a sliver; a missing value leaves a gap.
            for (model, value) in values
                .iter()
                .take(models.len())
                .enumerate()
                .filter(|(_, value)| value.is_finite())
            {
                let bar_top = first + bar * pixels(model);
                let corners = [
                    (0.0, f64::from(bar_top)),
                    (value.clamp(0.004, 1.0), f64::from(bar_top + bar - 1)),
                ];
                let area = chart.plotting_area();
                area.draw(&Rectangle::new(corners, colour(model).filled()))?;
            }
        }

        draw_legend(canvas, left + BARS + MARGIN, &models, |model, [start, end]| {
            let corners = [(start.0, start.1 - 5), (end.0, end.1 + 5)];
            canvas.draw(&Rectangle::new(corners, colour(model).filled()))
        })
    })
}

/// The figure of the share of flaky tests over the mean score, with a curve of [`calibration_points`] for each model.
///
/// Scores that are true probabilities lie on the diagonal.
#[must_use]
pub fn calibration_svg(curves: &[(String, Vec<(f64, f64)>)]) -> String {
    let models = curves.iter().map(|(model, _)| model.as_str()).collect::<Vec<_>>();
    unit_square_svg(["Mean score", "Share of flaky tests"], &models, |square| {
        square.draw(&PathElement::new([(0.0, 0.0), (1.0, 1.0)], BLACK.mix(0.35)))?;
        for (index, (_, points)) in curves.iter().enumerate() {
            let points = finite(points).collect::<Vec<_>>();
            for &point in &points {
                square.draw(&Circle::new(point, 4, colour(index).filled()))?;
            }
            draw_line(square, index, points)?;
        }
        Ok(())
    })
}

/// The points `(mean score, share of flaky tests)` of intervals of scores, from low to high. Each of the `bins`
/// intervals with at least one test has a point.
///
/// # Panics
///
/// If `bins` is 0, or scores and labels differ in number.
#[must_use]
pub fn calibration_points(scores: &[f32], labels: &[bool], bins: usize) -> Vec<(f64, f64)> {
    metrics::calibration(scores, labels, bins)
        .iter()
        .map(|bin| (bin.mean_score, bin.flaky_share))
        .collect()
}

/// The side in pixels of the plotting area of a figure whose axes go from 0 to 1.
const SQUARE: i32 = 480;
/// The length in pixels of a bar for an average precision of 1.
const BARS: i32 = 560;
const MARGIN: i32 = 16;
const AXIS: i32 = 48;
const LEGEND_ROW: i32 = 22;
const LEGEND_LINE: i32 = 36;
const GRID: RGBAColor = RGBAColor(0, 0, 0, 0.12);

/// The colours of Okabe and Ito, which are distinguishable for colour-blind people. Yellow is left out because it is
/// hard to see on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0x00, 0x00, 0x00),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
];

/// The line styles of models: length of a dash, length of a gap, and width of the line, in pixels.
///
/// The 4 styles and 7 colours have no common divisor, so 28 models look different.
const DASHES: [(i32, i32, u32); 4] = [(1, 0, 2), (12, 5, 2), (3, 4, 3), (6, 4, 2)];

fn colour(model: usize) -> RGBColor {
    COLOURS[model % COLOURS.len()]
}

/// Draws a line through points, in the colour and the line style of the model with the index `model`.
fn draw_line<Coord>(area: &DrawingArea<SVGBackend<'_>, Coord>, model: usize, points: Vec<Coord::From>) -> DrawingResult
where
    Coord: CoordTranslate,
    Coord::From: Clone,
{
    let (dash, gap, width) = DASHES[model % DASHES.len()];
    let style = colour(model).stroke_width(width);
    if gap == 0 {
        area.draw(&PathElement::new(points, style))
    } else {
        area.draw(&DashedPathElement::new(points, dash, gap, style))
    }
}

/// A figure whose axes both go from 0 to 1, with a legend beside it.
fn unit_square_svg(
    [across, up]: [&str; 2],
    models: &[&str],
    draw_curves: impl FnOnce(&UnitSquare<'_>) -> DrawingResult,
) -> String {
    let legend_height = LEGEND_ROW * pixels(models.len()) + 2 * MARGIN;
    let height = (SQUARE + AXIS + MARGIN).max(legend_height);
    let right = AXIS + MARGIN + SQUARE + MARGIN;
    svg((right + legend_width(models), height), |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .margin_top(MARGIN)
            .margin_bottom(height - SQUARE - AXIS - MARGIN)
            .margin_left(MARGIN)
            .margin_right(MARGIN + legend_width(models))
            .x_label_area_size(AXIS)
            .y_label_area_size(AXIS)
            .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
        chart
            .configure_mesh()
            .x_labels(11)
            .y_labels(11)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .x_label_formatter(&|value| format!("{value:.1}"))
            .y_label_formatter(&|value| format!("{value:.1}"))
            .label_style(label())
            .x_desc(across)
            .y_desc(up)
            .axis_desc_style(label())
            .draw()?;
        draw_curves(chart.plotting_area())?;
        draw_legend(canvas, right, models, |model, ends| {
            draw_line(canvas, model, ends.to_vec())
        })
    })
}

/// Draws the names of the models below each other. `draw_key` draws the line or bar of each model beside its name,
/// between two points.
fn draw_legend(
    canvas: &Canvas<'_>,
    left: i32,
    models: &[&str],
    draw_key: impl Fn(usize, [(i32, i32); 2]) -> DrawingResult,
) -> DrawingResult {
    for (index, model) in models.iter().enumerate() {
        let middle = MARGIN + LEGEND_ROW * pixels(index) + LEGEND_ROW / 2;
        let end = left + LEGEND_LINE;
        draw_key(index, [(left, middle), (end, middle)])?;
        let centred = label().pos(Pos::new(HPos::Left, VPos::Center));
        canvas.draw_text(&printable(model), &centred, (end + 8, middle))?;
    }
    Ok(())
}

fn legend_width(models: &[&str]) -> i32 {
    LEGEND_LINE + 8 + text_width(models.iter().copied()) + MARGIN
}

fn label() -> TextStyle<'static> {
    ("sans-serif", 16).into_text_style(&(0, 0))
}

/// The estimated width of the longest text in pixels. The font of the viewer is not known.
fn text_width<'t>(texts: impl Iterator<Item = &'t str>) -> i32 {
    8 * pixels(texts.map(|text| text.chars().count()).max().unwrap_or(0))
}

fn pixels(count: usize) -> i32 {
    i32::try_from(count).expect("a figure has fewer pixels than an i32 can count")
}

/// A text in which `U+FFFD` (the replacement character) stands for control characters and others that XML cannot
/// express.
fn printable(text: &str) -> String {
    text.replace(
        |letter: char| letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}'),
        "\u{FFFD}",
    )
}

fn finite(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    points
        .iter()
        .copied()
        .filter(|(across, up)| across.is_finite() && up.is_finite())
}

/// The corners of the steps of a curve of precision over recall.
///
/// A corner within half a pixel of the previous one is left out, because large corpora have a hundred thousand corners.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (recall, precision) in finite(points) {
        let (reached, height) = corners.last().copied().unwrap_or((0.0, f64::INFINITY));
        if (recall - reached).abs() > 0.001 || (precision - height).abs() > 0.001 {
            corners.extend([(reached, precision), (recall, precision)]);
        }
    }
    corners
}

/// An SVG document with the output of `draw` on a white canvas.
fn svg((width, height): (i32, i32), draw: impl FnOnce(&Canvas<'_>) -> DrawingResult) -> String {
    let mut document = String::new();
    let canvas =
        SVGBackend::with_string(&mut document, (width.unsigned_abs(), height.unsigned_abs())).into_drawing_area();
    canvas
        .fill(&WHITE)
        .and_then(|()| draw(&canvas))
        .and_then(|()| canvas.present())
        .expect("a string takes whatever is drawn");
    drop(canvas);
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(document: &str) {
        assert!(document.starts_with("<svg "), "{document}");
        assert!(document.trim_end().ends_with("</svg>"));
        assert_eq!(document.matches("<svg").count(), 1);
        assert_eq!(document.matches("<text").count(), document.matches("</text>").count());
        assert!(
            !["NaN", " x=\"-", " y=\"-", "width=\"-", "height=\"-"]
                .iter()
                .any(|wrong| document.contains(wrong))
        );
    }

    fn curve(name: &str, points: &[(f64, f64)]) -> (String, Vec<(f64, f64)>) {
        (name.to_owned(), points.to_vec())
    }

    #[test]
    fn names_come_out_escaped() {
        let curves = [
            curve("a<b>&\"c\"", &[(0.5, 1.0), (1.0, 0.5)]),
            curve("FLAST", &[(1.0, 0.2)]),
        ];
        let models = curves.each_ref().map(|(model, _)| model.clone());
        let projects = [("</svg><script>".to_owned(), vec![0.5, 0.25])];
        let bars = project_bars_svg(&models, &projects);
        for document in [precision_recall_svg(&curves), calibration_svg(&curves), bars.clone()] {
            check(&document);
            assert!(document.contains("a&lt;b&gt;&amp;&quot;c&quot;\n"));
            assert!(document.contains("FLAST\n"));
        }
        assert!(bars.contains("&lt;/svg&gt;&lt;script&gt;\n"));
    }

    #[test]
    fn letters_that_xml_forbids_are_replaced() {
        let document = precision_recall_svg(&[curve("bell\u{7}\u{FFFF}", &[])]);
        assert!(document.contains("bell\u{FFFD}\u{FFFD}\n"));
    }

    #[test]
    fn axes_are_named() {
        let document = precision_recall_svg(&[]);
        assert!(document.contains("Recall") && document.contains("Precision"));
        let document = calibration_svg(&[]);
        assert!(document.contains("Mean score") && document.contains("Share of flaky tests"));
        assert!(project_bars_svg(&[], &[]).contains("Average precision"));
    }

    #[test]
    fn any_input_gives_a_figure() {
        let some = [
            Vec::new(),
            vec![(0.3, 0.7)],
            vec![(f64::NAN, 0.5), (0.5, f64::INFINITY), (2.0, 3.0)],
        ];
        let curves = some.map(|points| ("model".to_owned(), points));
        for curves in [&curves[..], &curves[..1], &[]] {
            check(&precision_recall_svg(curves));
            check(&calibration_svg(curves));
        }
        let models = ["model".to_owned()];
        check(&project_bars_svg(&[], &[]));
        check(&project_bars_svg(&models, &[]));
        check(&project_bars_svg(&models, &[("project".to_owned(), Vec::new())]));
        check(&project_bars_svg(
            &models,
            &[("project".to_owned(), vec![f64::NAN, 7.0])],
        ));
    }

    #[test]
    fn hundreds_of_projects_keep_their_names_and_bars() {
        let models = ["Peeler", "FLAST", "vocabulary"].map(str::to_owned);
        let projects: Vec<_> = (0..370)
            .map(|index| (format!("project-{index:03}"), vec![0.5, 0.25, 0.0]))
            .collect();
        let document = project_bars_svg(&models, &projects);
        check(&document);
        for (project, _) in &projects {
            assert!(document.contains(&format!("{project}\n")));
        }
        // There is one rectangle for the canvas, one per bar, and one per model in the legend.
        assert_eq!(document.matches("<rect").count(), 1 + 370 * 3 + 3);
    }

    #[test]
    fn dozens_of_models_fit_their_legend() {
        let curves: Vec<_> = (0..60)
            .map(|index| curve(&format!("model {index}"), &[(1.0, 0.5)]))
            .collect();
        check(&precision_recall_svg(&curves));
    }

    #[test]
    fn the_same_figure_is_drawn_twice() {
        let curves = [curve("model", &[(0.25, 1.0), (0.5, 0.75), (1.0, 0.3)])];
        assert_eq!(precision_recall_svg(&curves), precision_recall_svg(&curves));
        assert_eq!(calibration_svg(&curves), calibration_svg(&curves));
    }

    #[test]
    fn precision_holds_back_to_the_recall_before() {
        assert_eq!(
            steps(&[(0.5, 1.0), (1.0, 0.5)]),
            [(0.0, 1.0), (0.5, 1.0), (0.5, 0.5), (1.0, 0.5)]
        );
    }

    #[test]
    fn corners_too_close_to_see_are_left_out() {
        let points: Vec<_> = (1..=100_000).map(|index| (f64::from(index) / 1e5, 0.5)).collect();
        let corners = steps(&points);
        assert!(corners.len() < 2500, "{}", corners.len());
        assert!(corners.last().unwrap().0 > 0.998);
    }

    #[test]
    fn calibration_points_skip_empty_bins() {
        let points = calibration_points(&[0.125, 0.25, 0.875], &[false, true, true], 2);
        assert_eq!(points, [(0.1875, 0.5), (0.875, 1.0)]);
    }
}
