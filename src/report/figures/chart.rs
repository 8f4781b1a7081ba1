//! Axes and panels: what every chart of the report has in common.

use std::convert::Infallible;
use std::ops::Range;

use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::{Color as _, IntoFont as _, ShapeStyle, TextStyle};

use super::canvas::{Anchor, Canvas, Role, SMALL, Sheet, TENTHS, TEXT, WIDTH, short, text_width};

/// Why a chart could not be drawn; the canvas itself never fails.
pub(crate) type ChartError = DrawingAreaErrorKind<Infallible>;

/// The range of an axis for the chart, with the places of its marks.
struct Coordinate {
    lower: f64,
    upper: f64,
    marks: Vec<f64>,
}

impl Ranged for Coordinate {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.lower) / (self.upper - self.lower);
        let place = f64::from(start) + share * f64::from(end - start);
        #[expect(clippy::cast_possible_truncation, reason = "a place on a sheet")]
        let place = place.round() as i32;
        place
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.marks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.lower..self.upper
    }
}

type Context<'a> = ChartContext<'a, Canvas<'a>, Cartesian2d<Coordinate, Coordinate>>;

/// An axis with its marks. A logarithmic one is a linear one of decimal logarithms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    title: String,
    lower: f64,
    upper: f64,
    is_log: bool,
    marks: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis.
    ///
    /// # Arguments
    /// - `lower`, `upper`: finite; where they are not apart, the axis takes in some more
    pub(crate) fn linear(title: &str, lower: f64, upper: f64) -> Self {
        let (lower, upper) = apart(lower, upper);
        let (step, places) = step((upper - lower) / 5.0);
        let mut marks = Vec::new();
        let mut index = (lower / step).ceil();
        // The tenth of a thousandth takes in a last mark that rounding put outside.
        while index * step <= upper + step * 1e-4 && marks.len() < 20 {
            let value = index * step;
            let text = format!("{value:.places$}");
            let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
            marks.push((
                value.min(upper),
                if is_zero { "0".to_owned() } else { text },
            ));
            index += 1.0;
        }
        Self {
            title: title.to_owned(),
            lower,
            upper,
            is_log: false,
            marks,
        }
    }

    /// A linear axis whose marks are percentages.
    pub(crate) fn percent(title: &str, lower: f64, upper: f64) -> Self {
        let mut axis = Self::linear(title, lower * 100.0, upper * 100.0);
        axis.lower /= 100.0;
        axis.upper /= 100.0;
        for (value, text) in &mut axis.marks {
            *value /= 100.0;
            text.push_str(" %");
        }
        axis
    }

    /// A logarithmic axis with a mark at powers of ten.
    ///
    /// # Arguments
    /// - `lower`, `upper`: above 0
    /// - `name`: the text of a power of ten
    pub(crate) fn log(title: &str, lower: f64, upper: f64, name: impl Fn(i32) -> String) -> Self {
        let (lower, upper) = apart(lower.log10(), upper.log10());
        #[expect(
            clippy::cast_possible_truncation,
            reason = "logarithms of floats are below 400"
        )]
        let (first, last) = (lower.ceil() as i32, upper.floor() as i32);
        let every = usize::try_from((last - first) / 9 + 1).unwrap_or(1);
        let mut marks: Vec<(f64, String)> = (first..=last)
            .step_by(every)
            .map(|power| (f64::from(power), name(power)))
            .collect();
        if marks.len() < 2 {
            // Less than a decade: its ends say more than one mark inside.
            marks = vec![lower, upper]
                .into_iter()
                .map(|place| (place, super::figure(10.0_f64.powf(place), 3)))
                .collect();
        }
        Self {
            title: title.to_owned(),
            lower,
            upper,
            is_log: true,
            marks,
        }
    }

    /// Where a value stands on the axis, at its ends where it is outside.
    fn place(&self, value: f64) -> f64 {
        let value = match self.is_log {
            true if value <= 0.0 => self.lower,
            true => value.log10(),
            false => value,
        };
        value.clamp(self.lower, self.upper)
    }

    fn coordinate(&self) -> Coordinate {
        Coordinate {
            lower: self.lower,
            upper: self.upper,
            marks: self.marks.iter().map(|(value, _)| *value).collect(),
        }
    }

    fn name(&self, value: f64) -> String {
        self.marks
            .iter()
            .min_by(|a, b| (a.0 - value).abs().total_cmp(&(b.0 - value).abs()))
            .map_or_else(String::new, |(_, name)| name.clone())
    }
}

/// Ends that are apart, whatever was given.
fn apart(lower: f64, upper: f64) -> (f64, f64) {
    let (lower, upper) = (
        if lower.is_finite() { lower } else { 0.0 },
        if upper.is_finite() { upper } else { 1.0 },
    );
    let least = lower.abs().max(upper.abs()).max(1e-9) * 1e-9;
    if upper - lower > least {
        (lower, upper)
    } else {
        let middle = f64::midpoint(lower, upper);
        let half = if middle == 0.0 {
            1.0
        } else {
            middle.abs() * 0.1
        };
        (middle - half, middle + half)
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below a width, and the digits
/// after the point that its multiples need.
fn step(width: f64) -> (f64, usize) {
    let power = width.log10().floor();
    let unit = 10.0_f64.powf(power);
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * unit >= width * (1.0 - 1e-9));
    let (factor, power) = factor.map_or((1.0, power + 1.0), |factor| (factor, power));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number that is not negative"
    )]
    let places = (-power).max(0.0) as usize;
    (factor * 10.0_f64.powf(power), places)
}

/// A power of ten as a person writes it.
pub(crate) fn power_of_ten(power: i32) -> String {
    match power {
        0..=4 => super::super::format::grouped(&10_u64.pow(power.unsigned_abs()).to_string()),
        -4..0 => format!(
            "{:.*}",
            usize::try_from(-power).unwrap_or(0),
            10.0_f64.powi(power)
        ),
        _ => format!("1e{power}"),
    }
}

/// The sign of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A filled bar.
    Bar,
    /// A line.
    Line,
    /// A ring.
    Ring,
}

/// Least room at the left of a plot.
const LEFT: f64 = 76.0;
/// Height of the line above a panel that names its series.
const LEGEND: f64 = 20.0;

/// One plot of a figure.
pub(crate) struct Panel<'a> {
    sheet: &'a Sheet,
    chart: Context<'a>,
    x: Axis,
    y: Axis,
}

impl<'a> Panel<'a> {
    /// A panel between two heights of a sheet, with its axes drawn.
    ///
    /// # Arguments
    /// - `series`: signs and names, written above
    ///
    /// # Errors
    /// [`ChartError`] of the chart.
    pub(crate) fn new(
        sheet: &'a Sheet,
        (top, bottom): (f64, f64),
        (x, y): (Axis, Axis),
        series: &[(Mark, Role, &str)],
    ) -> Result<Self, ChartError> {
        legend(sheet, top, series);
        let top = if series.is_empty() { top } else { top + LEGEND };
        let widest = y
            .marks
            .iter()
            .map(|(_, name)| text_width(name, SMALL))
            .fold(0.0, f64::max);
        // Panels above each other have the same place for the names of their marks.
        let left = (widest + TEXT + 20.0).max(LEFT);
        // Half of the last mark's name stands beyond the end of its axis.
        let right = x
            .marks
            .last()
            .map_or(0.0, |(_, name)| text_width(name, SMALL) / 2.0)
            .max(12.0);
        let area: DrawingArea<Canvas<'a>, Shift> = sheet.area().shrink(
            (0, tenths(top)),
            (tenths(f64::from(WIDTH)), tenths(bottom - top)),
        );
        let text = |size: f64, role: Role| -> TextStyle<'static> {
            ("sans-serif", size * f64::from(TENTHS))
                .into_font()
                .color(&role.color())
        };
        let mut chart: Context<'a> = ChartBuilder::on(&area)
            .margin_top(tenths(6.0))
            .margin_right(tenths(right + 2.0))
            .margin_left(tenths(4.0))
            .set_label_area_size(LabelAreaPosition::Left, tenths(left))
            .set_label_area_size(LabelAreaPosition::Bottom, tenths(38.0))
            .build_cartesian_2d(x.coordinate(), y.coordinate())?;
        chart
            .configure_mesh()
            .bold_line_style(style(Role::Grid, 0.8))
            .light_line_style(style(Role::Grid, 0.8))
            .axis_style(style(Role::Soft, 1.0))
            .set_all_tick_mark_size(tenths(4.0))
            .x_labels(30)
            .y_labels(30)
            .x_label_formatter(&|value| x.name(*value))
            .y_label_formatter(&|value| y.name(*value))
            .x_label_style(text(SMALL, Role::Ink))
            .y_label_style(text(SMALL, Role::Ink))
            .axis_desc_style(text(TEXT, Role::Soft))
            .x_desc(x.title.clone())
            .y_desc(y.title.clone())
            .draw()?;
        Ok(Self { sheet, chart, x, y })
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    /// Where a point of the plot is on the sheet.
    pub(crate) fn on_sheet(&self, point: (f64, f64)) -> (f64, f64) {
        let (x, y) = self.chart.backend_coord(&self.place(point));
        (
            f64::from(x) / f64::from(TENTHS),
            f64::from(y) / f64::from(TENTHS),
        )
    }

    /// Left and right end of the plot on the sheet.
    fn sides(&self) -> (f64, f64) {
        let range = self.chart.plotting_area().get_x_axis_pixel_range();
        (
            f64::from(range.start) / f64::from(TENTHS),
            f64::from(range.end) / f64::from(TENTHS),
        )
    }

    /// Upper and lower end of the plot on the sheet.
    fn ends(&self) -> (f64, f64) {
        let range = self.chart.plotting_area().get_y_axis_pixel_range();
        let (a, b) = (f64::from(range.start), f64::from(range.end));
        (a.min(b) / f64::from(TENTHS), a.max(b) / f64::from(TENTHS))
    }

    /// A line through points.
    pub(crate) fn line(
        &mut self,
        role: Role,
        width: f64,
        points: &[(f64, f64)],
    ) -> Result<(), ChartError> {
        let points: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        self.chart
            .draw_series([PathElement::new(points, style(role, width))])?;
        Ok(())
    }

    /// The area between two lines over the same places.
    pub(crate) fn band(
        &mut self,
        role: Role,
        alpha: f64,
        points: &[(f64, f64, f64)],
    ) -> Result<(), ChartError> {
        let upper = points.iter().map(|&(x, _, upper)| (x, upper));
        let lower = points.iter().rev().map(|&(x, lower, _)| (x, lower));
        let outline: Vec<_> = upper.chain(lower).map(|point| self.place(point)).collect();
        self.chart
            .draw_series([Polygon::new(outline, role.color().mix(alpha).filled())])?;
        Ok(())
    }

    /// A line at one height from end to end.
    pub(crate) fn level(&mut self, role: Role, width: f64, y: f64) -> Result<(), ChartError> {
        let ends = [
            (self.x.lower, self.y.place(y)),
            (self.x.upper, self.y.place(y)),
        ];
        self.chart
            .draw_series([PathElement::new(ends.to_vec(), style(role, width))])?;
        Ok(())
    }

    /// Bars from a base to a height, each with its own ends.
    pub(crate) fn bars(
        &mut self,
        role: Role,
        base: f64,
        bars: &[(f64, f64, f64)],
    ) -> Result<(), ChartError> {
        let corners: Vec<_> = bars
            .iter()
            .map(|&(from, to, height)| {
                [
                    self.place((from, height.max(base))),
                    self.place((to, height.min(base))),
                ]
            })
            .collect();
        self.chart.draw_series(
            corners
                .into_iter()
                .map(|corners| Rectangle::new(corners, role.color().mix(0.45).filled())),
        )?;
        Ok(())
    }

    /// A ring at each point.
    pub(crate) fn rings(
        &mut self,
        role: Role,
        radius: f64,
        points: &[(f64, f64)],
    ) -> Result<(), ChartError> {
        let points: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        self.chart.draw_series(
            points
                .into_iter()
                .map(|point| Circle::new(point, tenths(radius), style(role, 1.3))),
        )?;
        Ok(())
    }

    /// A stem from a base to each point, with a dot at its end.
    pub(crate) fn stems(
        &mut self,
        role: Role,
        base: f64,
        points: &[(f64, f64)],
    ) -> Result<(), ChartError> {
        for &(x, y) in points {
            self.line(role, 1.2, &[(x, base), (x, y)])?;
            let point = self.place((x, y));
            self.chart
                .draw_series([Circle::new(point, tenths(1.7), role.color().filled())])?;
        }
        Ok(())
    }

    /// A column that shows a text to a resting pointer, between two places on the x axis, from the
    /// top of this plot to the bottom of the one below.
    pub(crate) fn column(&self, below: &Self, (from, to): (f64, f64), text: &str) {
        let (left, right) = (self.on_sheet((from, 0.0)).0, self.on_sheet((to, 0.0)).0);
        let (top, bottom) = (self.ends().0, below.ends().1);
        self.sheet
            .hit((left, top), (right - left, bottom - top), text);
    }

    /// Columns around places on the x axis, each reaching halfway to its neighbours, and from the
    /// top of this plot to the bottom of the one below, where there is one.
    pub(crate) fn columns(&self, below: Option<&Self>, places: &[(f64, String)]) {
        let xs: Vec<f64> = places
            .iter()
            .map(|(x, _)| self.on_sheet((*x, 0.0)).0)
            .collect();
        let (left, right) = self.sides();
        let (top, bottom) = (self.ends().0, below.unwrap_or(self).ends().1);
        for (index, (_, text)) in places.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| xs.get(before));
            let from = before.map_or(left, |before| f64::midpoint(*before, xs[index]));
            let to = xs
                .get(index + 1)
                .map_or(right, |after| f64::midpoint(*after, xs[index]));
            self.sheet.hit((from, top), (to - from, bottom - top), text);
        }
    }
}

/// The names of the series in one line, above the plot so that they never cover it.
fn legend(sheet: &Sheet, top: f64, series: &[(Mark, Role, &str)]) {
    let mut x = 20.0;
    let y = top + 12.0;
    for (mark, role, name) in series {
        let middle = y - 4.0;
        let sign = match mark {
            Mark::Bar => format!(
                "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"9\" {}/>",
                short(x),
                short(middle - 4.5),
                role.fill(0.45)
            ),
            Mark::Line => format!(
                "<path d=\"M{} {}h16\" {}/>",
                short(x),
                short(middle),
                role.stroke(1.8)
            ),
            Mark::Ring => format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"3\" {}/>",
                short(x + 8.0),
                short(middle),
                role.stroke(1.5)
            ),
        };
        sheet.push(&sign);
        sheet.text((x + 20.0, y), Anchor::Start, TEXT, Role::Ink, name);
        x += 20.0 + text_width(name, TEXT) + 18.0;
    }
}

/// A length on the sheet as the backend takes it.
fn tenths(length: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "a length on a sheet")]
    let whole = (length * f64::from(TENTHS)).round() as i32;
    whole
}

fn style(role: Role, width: f64) -> ShapeStyle {
    role.color()
        .stroke_width(u32::try_from(tenths(width)).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers_inside_the_axis() {
        let names = |axis: &Axis| {
            axis.marks
                .iter()
                .map(|(_, name)| name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(&Axis::linear("", 0.0, 0.3)),
            ["0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(
            names(&Axis::linear("", -4.0, 4.0)),
            ["-4", "-2", "0", "2", "4"]
        );
        assert_eq!(names(&Axis::linear("", 0.0, 76.0)), ["0", "20", "40", "60"]);
        assert_eq!(
            names(&Axis::percent("", 0.93, 0.99)),
            ["94 %", "96 %", "98 %"]
        );
        assert_eq!(
            names(&Axis::log("", 1e-3, 2.0, power_of_ten)),
            ["0.001", "0.01", "0.1", "1"]
        );
    }

    #[test]
    fn ends_that_meet_are_taken_apart() {
        for (lower, upper) in [
            (0.0, 0.0),
            (5.0, 5.0),
            (f64::NAN, f64::INFINITY),
            (3.0, 2.0),
        ] {
            let axis = Axis::linear("", lower, upper);
            assert!(axis.lower < axis.upper, "{lower} {upper}");
            assert!(!axis.marks.is_empty());
        }
    }

    #[test]
    fn values_outside_end_at_the_border() {
        let axis = Axis::log("", 1e-3, 1.0, power_of_ten);
        assert!((axis.place(0.0) + 3.0).abs() < 1e-12);
        assert!((axis.place(10.0) - 0.0).abs() < 1e-12);
        assert!((axis.place(0.1) + 1.0).abs() < 1e-12);
    }
}
