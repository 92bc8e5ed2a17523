//! Draws dependency graphs of tests as SVG pictures, laid out by `layout-rs`.

use std::collections::{BTreeMap, BTreeSet};

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use peeler_analysis::{EdgeView, Extraction, NodeView, OperationKind};

use super::{edge_label, node_label};

const WHITE: u32 = 0xffff_ffff;
const GREEN: u32 = 0xd5e8_d4ff;
const RED: u32 = 0xf9d0_c4ff;
const BLACK: u32 = 0x0000_00ff;
const BLUE: u32 = 0x1f4e_9eff;
const GREY: u32 = 0x9999_99ff;
const FONT_SIZE: usize = 13;

/// The maximum number of nodes of a picture that a screen shows with legible texts.
const MOST_NODES: usize = 40;

/// How much of a graph is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All nodes are drawn, however many there are.
    Whole,
    /// A large graph is reduced to the nodes of its first paths.
    Screen,
}

/// The indices of the nodes to draw: all, or those of the first paths if there are too many for a screen.
fn drawn_nodes(extraction: &Extraction<'_>, extent: Extent) -> BTreeSet<usize> {
    if extent == Extent::Whole || extraction.nodes.len() <= MOST_NODES {
        return (0..extraction.nodes.len()).collect();
    }
    let mut drawn = BTreeSet::new();
    for path in &extraction.paths {
        let with_path: BTreeSet<usize> = drawn.iter().copied().chain(path.nodes()).collect();
        if with_path.len() <= MOST_NODES || drawn.is_empty() {
            drawn = with_path;
        }
    }
    drawn
}

/// The dependency graph of a test as an SVG picture, from top to bottom, and the number of nodes in it.
///
/// START nodes are green and round, ASSERT nodes red. Edges through code under test are blue and thick. Edges that
/// state only an order, without data, are grey and dashed.
pub(crate) fn graph(extraction: &Extraction<'_>, extent: Extent) -> (String, usize) {
    let mut picture = VisualGraph::new(Orientation::TopToBottom);
    let drawn = drawn_nodes(extraction, extent);
    let handles: BTreeMap<usize, _> = drawn
        .iter()
        .map(|at| (*at, picture.add_node(shape(&extraction.nodes[*at]))))
        .collect();
    for edge in &extraction.edges {
        if let (Some(from), Some(to)) = (handles.get(&edge.from), handles.get(&edge.to)) {
            picture.add_edge(arrow(extraction, edge), *from, *to);
        }
    }
    let mut writer = SVGWriter::new();
    picture.do_it(false, false, false, &mut writer);
    let mut svg = fitted(&writer.finalize());
    svg.push('\n');
    (svg, drawn.len())
}

/// The SVG with a size that follows the window: never larger than the drawing, and never larger than the screen.
fn fitted(svg: &str) -> String {
    let Some((start, (head, rest))) = svg
        .split_once("<svg ")
        .and_then(|(start, it)| Some((start, it.split_once('>')?)))
    else {
        return svg.to_owned();
    };
    let size = |name: &str| Some(head.split_once(&format!("{name}=\""))?.1.split_once('"')?.0);
    let (Some(width), Some(height)) = (size("width"), size("height")) else {
        return svg.to_owned();
    };
    let whole = |text: &str| text.split('.').next().unwrap_or_default().to_owned();
    let (width, height) = (whole(width), whole(height));
    format!(
        "{start}<svg width=\"100%\" viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"xMidYMin meet\" \
         style=\"max-width: {width}px; max-height: min({height}px, 100vh)\" xmlns=\"http://www.w3.org/2000/svg\">{rest}"
    )
}

fn shape(node: &NodeView<'_>) -> Element {
    let fill = if node.assert {
        RED
    } else if node.start {
        GREEN
    } else {
        WHITE
    };
    let rounded = if node.start { 12 } else { 0 };
    let label = node_label(node);
    #[allow(clippy::cast_precision_loss)]
    let width = label.chars().count() as f64 * 8.5 + 16.0;
    Element::create(
        ShapeKind::new_box(&label),
        StyleAttr::new(Color::new(BLACK), 1, Some(Color::new(fill)), rounded, FONT_SIZE),
        Orientation::TopToBottom,
        Point::new(width, 30.0),
    )
}

fn arrow(extraction: &Extraction<'_>, edge: &EdgeView<'_>) -> Arrow {
    let (colour, width, line) = if edge.cut.is_some() {
        (BLUE, 3, LineStyleKind::Normal)
    } else if edge.kind == OperationKind::Order {
        (GREY, 1, LineStyleKind::Dashed)
    } else {
        (BLACK, 1, LineStyleKind::Normal)
    };
    Arrow::new(
        LineEndKind::None,
        LineEndKind::Arrow,
        line,
        // Two short lines fit; one long line would be cut off at the border.
        &edge_label(extraction, edge).replace(" CUT", "\nCUT"),
        &StyleAttr::new(Color::new(colour), width, None, 0, FONT_SIZE),
        &None,
        &None,
    )
}
