//! Geometry of wheels drawn as SVG, clockwise from the top, and text for elements.

use std::f64::consts::TAU;

/// A wheel's place and sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dial {
    /// Middle.
    pub(super) x: f64,
    /// Middle.
    pub(super) y: f64,
    /// Radius of the base circle.
    pub(super) base: f64,
    /// Longest bar.
    pub(super) reach: f64,
}

impl Dial {
    /// A point at an angle.
    pub(super) fn point(&self, radius: f64, angle: f64) -> (f64, f64) {
        (self.x + radius * angle.sin(), self.y - radius * angle.cos())
    }

    /// The path of a ring's part between two angles; a whole ring is drawn as one a little
    /// short of it, since an arc needs two ends.
    pub(super) fn sector(&self, near: f64, far: f64, from: f64, to: f64) -> String {
        let to = to.min(from + TAU * 0.9999);
        let large = u8::from(to - from > TAU / 2.0);
        let (a, b) = (self.point(near, from), self.point(far, from));
        let (c, d) = (self.point(far, to), self.point(near, to));
        format!(
            "M{:.2} {:.2}L{:.2} {:.2}A{far:.2} {far:.2} 0 {large} 1 {:.2} {:.2}\
             L{:.2} {:.2}A{near:.2} {near:.2} 0 {large} 0 {:.2} {:.2}Z",
            a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1, a.0, a.1
        )
    }

    /// A text along the radius at an angle, from `radius` outward and never upside down.
    pub(super) fn label(
        &self,
        radius: f64,
        angle: f64,
        font: f64,
        attributes: &str,
        text: &str,
    ) -> String {
        let (x, y) = self.point(radius, angle);
        let degrees = angle * 360.0 / TAU - 90.0;
        let (turn, anchor) = if degrees > 90.0 {
            (degrees + 180.0, "end")
        } else {
            (degrees, "start")
        };
        let space = if attributes.is_empty() { "" } else { " " };
        format!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{font}\" text-anchor=\"{anchor}\" \
             dominant-baseline=\"middle\" transform=\"rotate({turn:.2} {x:.2} {y:.2})\"{space}{attributes}>{}</text>\n",
            escaped(text)
        )
    }
}

/// Text for an element or an attribute. Control characters, which XML does not have, become
/// spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => safe.push(' '),
            _ if letter.is_control() => safe.push(' '),
            _ => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_turn_clockwise_from_the_top() {
        let dial = Dial {
            x: 0.0,
            y: 0.0,
            base: 1.0,
            reach: 1.0,
        };
        let (x, y) = dial.point(1.0, 0.0);
        assert!(x.abs() < 1e-12 && (y + 1.0).abs() < 1e-12);
        let (x, y) = dial.point(1.0, TAU / 4.0);
        assert!((x - 1.0).abs() < 1e-12 && y.abs() < 1e-12);
        assert!(dial.sector(1.0, 2.0, 0.0, TAU).contains(" 0 1 1 "));
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot; ");
    }
}
