//! The sheet that figures are drawn on, and the backend through which a chart draws on it.
//!
//! Charts address tenths of a unit of the sheet. Every colour stands for a role; it is written
//! as a presentation attribute, so that a figure alone is complete, and as a class, so that
//! a page can set other colours for dark screens. Widths of text come from the table below
//! and from no font of the machine.

use std::cell::RefCell;
use std::convert::Infallible;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::style::RGBColor;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

use super::super::dial::escaped;

/// Width of every figure, in units of its own: few enough that text can still be read where the
/// figure is scaled to the width of a telephone.
pub(crate) const WIDTH: u32 = 480;
/// Backend pixels of a unit.
pub(crate) const TENTHS: u32 = 10;
/// Size of ordinary text.
pub(crate) const TEXT: f64 = 12.0;
/// Size of numbers along an axis.
pub(crate) const SMALL: f64 = 11.0;
/// The family that a figure asks for; a page may set another.
const FAMILY: &str = "Liberation Sans, Arial, Helvetica, sans-serif";

/// What a colour stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Text.
    Ink,
    /// Axes and less important text.
    Soft,
    /// Lines of the mesh.
    Grid,
    /// What was computed.
    Exact,
    /// What was played.
    Simulated,
    /// Limits between which something should lie.
    Limit,
}

impl Role {
    const ALL: [Self; 6] = [
        Self::Ink,
        Self::Soft,
        Self::Grid,
        Self::Exact,
        Self::Simulated,
        Self::Limit,
    ];

    /// On paper; blue and vermilion are those of Okabe and Ito, which the colour-blind
    /// tell apart, and they differ in lightness.
    pub(crate) const fn rgb(self) -> (u8, u8, u8) {
        match self {
            Self::Ink => (0x1b, 0x1f, 0x24),
            Self::Soft => (0x5b, 0x65, 0x70),
            Self::Grid => (0xd5, 0xda, 0xe0),
            Self::Exact => (0x00, 0x72, 0xb2),
            Self::Simulated => (0xd5, 0x5e, 0x00),
            Self::Limit => (0x4a, 0x52, 0x5b),
        }
    }

    /// For a style of a chart.
    pub(crate) fn color(self) -> RGBColor {
        let (r, g, b) = self.rgb();
        RGBColor(r, g, b)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Ink => "ink",
            Self::Soft => "soft",
            Self::Grid => "grid",
            Self::Exact => "exact",
            Self::Simulated => "simulated",
            Self::Limit => "limit",
        }
    }

    /// Attributes of a filled shape.
    pub(crate) fn fill(self, alpha: f64) -> String {
        self.paint("fill", "f", alpha)
    }

    /// Attributes of a line.
    pub(crate) fn stroke(self, width: f64) -> String {
        let dash = match self {
            Self::Limit => " stroke-dasharray=\"5 3\"",
            _ => "",
        };
        format!(
            "fill=\"none\" {} stroke-width=\"{}\"{dash}",
            self.paint("stroke", "s", 1.0),
            short(width)
        )
    }

    fn paint(self, property: &str, prefix: &str, alpha: f64) -> String {
        let (r, g, b) = self.rgb();
        let opacity = if alpha < 1.0 {
            format!(" {property}-opacity=\"{alpha}\"")
        } else {
            String::new()
        };
        format!(
            "class=\"{prefix}-{}\" {property}=\"#{r:02x}{g:02x}{b:02x}\"{opacity}",
            self.name()
        )
    }

    fn of(color: BackendColor) -> Self {
        Self::ALL
            .into_iter()
            .find(|role| role.rgb() == color.rgb)
            .unwrap_or(Self::Ink)
    }
}

/// A coordinate with at most one digit after the point.
pub(crate) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

/// Estimated width of a text, in units: advance widths of `DejaVu` Sans in classes of letters, rounded
/// upward. It is the widest of the fonts that stand in for a missing one; Helvetica, Arial and
/// Liberation Sans need less.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let em: f64 = text
        .chars()
        .map(|letter| match letter {
            'i' | 'j' | 'l' | '\'' => 0.28,
            ' ' | '.' | ',' | ':' | ';' | '|' | '/' | '-' | 'I' => 0.37,
            'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '!' => 0.42,
            'm' | 'M' | 'W' | '%' | '@' => 1.0,
            'w' | '+' | '±' => 0.84,
            'A'..='Z' => 0.79,
            _ => 0.64,
        })
        .sum();
    em * size
}

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The point is its left end.
    Start,
    /// The point is its middle.
    Middle,
    /// The point is its right end.
    End,
}

/// A figure while it is drawn.
#[derive(Debug)]
pub(crate) struct Sheet {
    width: u32,
    height: u32,
    body: RefCell<String>,
}

impl Sheet {
    /// An empty sheet of the usual width.
    pub(crate) fn new(height: u32) -> Self {
        Self {
            width: WIDTH,
            height,
            body: RefCell::new(String::new()),
        }
    }

    /// The whole sheet for a chart.
    pub(crate) fn area(&self) -> DrawingArea<Canvas<'_>, Shift> {
        Canvas { sheet: self }.into_drawing_area()
    }

    /// Adds an element.
    pub(crate) fn push(&self, element: &str) {
        let mut body = self.body.borrow_mut();
        body.push_str(element);
        body.push('\n');
    }

    /// Adds a text whose baseline runs through `y`.
    pub(crate) fn text(
        &self,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        role: Role,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        self.push(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\"{anchor} {}>{}</text>",
            short(x),
            short(y),
            role.fill(1.0),
            escaped(text)
        ));
    }

    /// Adds an invisible area that shows `text` to a pointer that rests on it.
    pub(crate) fn hit(&self, (x, y): (f64, f64), (width, height): (f64, f64), text: &str) {
        self.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" pointer-events=\"all\"><title>{}</title></rect>",
            short(x),
            short(y),
            short(width),
            short(height),
            escaped(text)
        ));
    }

    /// The picture as SVG, with what a screen reader says of it.
    pub(crate) fn finish(&self, id: &str, title: &str, description: &str) -> String {
        let Self {
            width,
            height,
            body,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" font-family=\"{FAMILY}\" font-size=\"{TEXT}\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n{}</svg>",
            escaped(title),
            escaped(description),
            body.borrow()
        )
    }
}

/// The backend of a chart: a sheet in tenths of its unit.
#[derive(Debug)]
pub(crate) struct Canvas<'a> {
    sheet: &'a Sheet,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

fn unit(tenths: i32) -> f64 {
    f64::from(tenths) / f64::from(TENTHS)
}

fn at((x, y): BackendCoord) -> String {
    format!("{} {}", short(unit(x)), short(unit(y)))
}

fn stroke<S: BackendStyle>(style: &S) -> String {
    Role::of(style.color()).stroke(f64::from(style.stroke_width()) / f64::from(TENTHS))
}

fn paint<S: BackendStyle>(style: &S, fill: bool) -> String {
    if fill {
        let color = style.color();
        Role::of(color).fill(color.alpha)
    } else {
        stroke(style)
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.sheet.width * TENTHS, self.sheet.height * TENTHS)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.draw_circle(point, 1, &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.sheet.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>",
            short(unit(left)),
            short(unit(top)),
            short(unit(right - left)),
            short(unit(bottom - top)),
            paint(style, fill)
        ));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<String> = path.into_iter().map(at).collect();
        if points.len() > 1 {
            self.sheet.push(&format!(
                "<path d=\"M{}\" {}/>",
                points.join("L"),
                stroke(style)
            ));
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.sheet.push(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>",
            short(unit(x)),
            short(unit(y)),
            short(f64::from(radius) / f64::from(TENTHS)),
            paint(style, fill)
        ));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vertices: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<String> = vertices.into_iter().map(at).collect();
        self.sheet.push(&format!(
            "<path d=\"M{}Z\" {}/>",
            points.join("L"),
            paint(style, true)
        ));
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        (x, y): BackendCoord,
    ) -> Drawn {
        let size = style.size() / f64::from(TENTHS);
        let anchor = style.anchor();
        let (word, _) = match anchor.h_pos {
            HPos::Left => ("", 0.0),
            HPos::Center => (" text-anchor=\"middle\"", 0.5),
            HPos::Right => (" text-anchor=\"end\"", 1.0),
        };
        // From the top, the middle or the bottom of a line to its baseline.
        let drop = size
            * match anchor.v_pos {
                VPos::Top => 0.8,
                VPos::Center => 0.35,
                VPos::Bottom => -0.22,
            };
        let (x, y) = (unit(x), unit(y));
        let place = match style.transform() {
            FontTransform::None => format!("x=\"{}\" y=\"{}\"", short(x), short(y + drop)),
            turned => {
                let degrees = match turned {
                    FontTransform::Rotate90 => 90,
                    FontTransform::Rotate180 => 180,
                    _ => 270,
                };
                format!(
                    "transform=\"translate({} {}) rotate({degrees})\" y=\"{}\"",
                    short(x),
                    short(y),
                    short(drop)
                )
            }
        };
        self.sheet.push(&format!(
            "<text {place} font-size=\"{size}\"{word} {}>{}</text>",
            Role::of(style.color()).fill(1.0),
            escaped(text)
        ));
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a length on a sheet"
        )]
        let whole = |length: f64| length.ceil().max(0.0) as u32;
        Ok((whole(text_width(text, style.size())), whole(style.size())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Advance widths from the metrics of both fonts: Helvetica in thousandths, `DejaVu` Sans in
    /// 2048ths of its size.
    #[test]
    fn estimated_widths_are_not_below_those_of_either_font() {
        for (text, helvetica, dejavu) in [
            ("0.25", 556 * 3 + 278, 1303 * 3 + 651),
            (
                "meter",
                833 + 556 + 278 + 556 + 333,
                1995 + 1260 + 803 + 1260 + 842,
            ),
            (
                "exact",
                556 + 500 + 556 + 500 + 278,
                1260 + 1212 + 1255 + 1126 + 803,
            ),
            (
                "1 in 100",
                556 * 5 + 278 * 2 + 222,
                1303 * 4 + 651 * 2 + 569 + 1298,
            ),
        ] {
            let widths = [f64::from(helvetica) / 1000.0, f64::from(dejavu) / 2048.0];
            let estimate = text_width(text, 1.0);
            let widest = widths.into_iter().fold(0.0, f64::max);
            assert!(
                (widest..widest * 1.15).contains(&estimate),
                "{text}: {estimate} {widths:?}"
            );
        }
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(short(12.0), "12");
        assert_eq!(short(12.34), "12.3");
        assert_eq!(short(-0.01), "0");
    }

    #[test]
    fn every_colour_has_one_role() {
        for role in Role::ALL {
            let rgb = role.rgb();
            assert_eq!(Role::of(BackendColor { alpha: 1.0, rgb }), role);
        }
    }
}
