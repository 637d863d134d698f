//! The medians over the sizes, both axes logarithmic, as SVG.

use plotters::prelude::*;
use zkria_core::{Error, Result};

use super::report::Report;

/// Draws one line a backend.
pub(super) fn svg(report: &Report) -> Result<String> {
    let mut text = String::new();
    draw(report, &mut text).map_err(|e| Error::device(format!("plot: {e}"), "leave --plot out"))?;
    Ok(text)
}

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

fn draw(report: &Report, text: &mut String) -> Drawn {
    let root = SVGBackend::with_string(text, (900, 600)).into_drawing_area();
    root.fill(&WHITE)?;
    // The exponent on a linear axis is the size on a binary logarithmic one.
    let sizes = || report.rows.iter().map(|r| r.log_n as i32);
    let times = || report.rows.iter().map(|r| (r.median_s * 1e3).max(1e-6));
    let x = sizes().min().unwrap_or(0) - 1..sizes().max().unwrap_or(0) + 1;
    let y = times().fold(f64::INFINITY, f64::min) * 0.5..times().fold(0.0, f64::max) * 2.0;
    let variant = report.rows.first().map_or("", |r| r.variant.as_str());
    let mut chart = ChartBuilder::on(&root)
        .caption(format!("msm {variant}"), ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(x, y.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("points")
        .y_desc("median, ms")
        .x_label_formatter(&|n| format!("2^{n}"))
        .y_label_formatter(&|ms| format!("{ms}"))
        .draw()?;
    let mut names: Vec<&str> = Vec::new();
    for row in &report.rows {
        if !names.contains(&row.backend.as_str()) {
            names.push(&row.backend);
        }
    }
    for (i, name) in names.into_iter().enumerate() {
        let colour = Palette99::pick(i).to_rgba();
        let line = report
            .rows
            .iter()
            .filter(|r| r.backend == name)
            .map(|r| (r.log_n as i32, (r.median_s * 1e3).max(1e-6)));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)).point_size(3))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .border_style(BLACK)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    root.present()?;
    Ok(())
}
