//! Formulas read and evaluated, by the grammar of the sheets and nothing of the writer's.

use std::collections::BTreeMap;

/// A cell as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Empty,
    Number(f64),
    Text(String),
}

impl Value {
    /// As an operand: text of digits counts, as in spreadsheets.
    fn operand(&self) -> Result<f64, String> {
        match self {
            Self::Empty => Ok(0.0),
            Self::Number(value) => Ok(*value),
            Self::Text(text) => text.parse().map_err(|_| format!("`{text}` is no number")),
        }
    }
}

/// The shown values of every sheet by row and column, from 0.
pub(crate) type Cells = BTreeMap<String, BTreeMap<(u32, u32), Value>>;

/// A rectangle of one sheet.
struct Area<'a> {
    sheet: &'a str,
    first: (u32, u32),
    last: (u32, u32),
}

enum Term<'a> {
    Number(f64),
    Text(String),
    Area(Area<'a>),
}

/// The value of a formula in a sheet; cells that it names count as they are shown.
pub(crate) fn evaluate(formula: &str, sheet: &str, cells: &Cells) -> Result<f64, String> {
    let mut parser = Parser {
        text: formula,
        rest: formula.trim_start_matches('='),
        sheet,
        cells,
    };
    let value = parser.sum()?;
    if parser.rest.is_empty() {
        Ok(value)
    } else {
        Err(format!("`{}` is left of `{formula}`", parser.rest))
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    sheet: &'a str,
    cells: &'a Cells,
}

impl<'a> Parser<'a> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            Ok(())
        } else {
            Err(format!(
                "`{token}` expected at `{}` of `{}`",
                self.rest, self.text
            ))
        }
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value += self.product()?;
            } else if self.take("-") {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.power()?;
        loop {
            if self.take("*") {
                value *= self.power()?;
            } else if self.take("/") {
                value /= self.power()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn power(&mut self) -> Result<f64, String> {
        // A sign binds more tightly than a power, as in spreadsheets.
        let base = self.signed()?;
        if self.take("^") {
            Ok(base.powf(self.signed()?))
        } else {
            Ok(base)
        }
    }

    fn signed(&mut self) -> Result<f64, String> {
        if self.take("-") {
            return Ok(-self.signed()?);
        }
        match self.term()? {
            Term::Number(value) => Ok(value),
            Term::Area(area) if area.first == area.last => {
                self.cell(area.sheet, area.first).operand()
            }
            _ => Err(format!("a single value expected in `{}`", self.text)),
        }
    }

    fn cell(&self, sheet: &str, place: (u32, u32)) -> Value {
        self.cells[sheet]
            .get(&place)
            .cloned()
            .unwrap_or(Value::Empty)
    }

    fn values(&self, area: &Area<'_>) -> Vec<Value> {
        (area.first.0..=area.last.0)
            .flat_map(|row| (area.first.1..=area.last.1).map(move |column| (row, column)))
            .map(|place| self.cell(area.sheet, place))
            .collect()
    }

    fn term(&mut self) -> Result<Term<'a>, String> {
        if self.take("(") {
            let value = self.sum()?;
            self.expect(")")?;
            return Ok(Term::Number(value));
        }
        if self.take("\"") {
            let (text, rest) = self.rest.split_once('"').ok_or("an open quotation")?;
            self.rest = rest;
            return Ok(Term::Text(text.to_owned()));
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number().map(Term::Number);
        }
        if self.take("MAX(") {
            let first = self.sum()?;
            self.expect(",")?;
            let second = self.sum()?;
            self.expect(")")?;
            return Ok(Term::Number(first.max(second)));
        }
        for name in ["SUMPRODUCT", "SUMIF", "SUM", "COUNTIF", "SQRT"] {
            if self.take(&format!("{name}(")) {
                return self.function(name).map(Term::Number);
            }
        }
        self.area().map(Term::Area)
    }

    fn number(&mut self) -> Result<f64, String> {
        let mut end = 0;
        let bytes = self.rest.as_bytes();
        while end < bytes.len() {
            let is_sign_of_exponent =
                end > 0 && matches!(bytes[end], b'+' | b'-') && bytes[end - 1] == b'e';
            if bytes[end].is_ascii_digit()
                || matches!(bytes[end], b'.' | b'e')
                || is_sign_of_exponent
            {
                end += 1;
            } else {
                break;
            }
        }
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits
            .parse()
            .map_err(|_| format!("`{digits}` is no number"))
    }

    fn area(&mut self) -> Result<Area<'a>, String> {
        let mut sheet = self.sheet;
        if self.take("'") {
            let (name, rest) = self.rest.split_once("'!").ok_or("an open sheet name")?;
            sheet = name;
            self.rest = rest;
        }
        let first = self.place()?;
        let last = if self.take(":") { self.place()? } else { first };
        Ok(Area { sheet, first, last })
    }

    fn place(&mut self) -> Result<(u32, u32), String> {
        self.take("$");
        let letters = self
            .rest
            .find(|c: char| !c.is_ascii_uppercase())
            .filter(|&end| end > 0)
            .ok_or_else(|| format!("a cell expected at `{}` of `{}`", self.rest, self.text))?;
        let column = self.rest[..letters].bytes().fold(0, |column, letter| {
            column * 26 + u32::from(letter - b'A') + 1
        }) - 1;
        self.rest = &self.rest[letters..];
        self.take("$");
        let row = self.number()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a row"
        )]
        Ok((row as u32 - 1, column))
    }

    fn function(&mut self, name: &str) -> Result<f64, String> {
        if name == "SQRT" {
            let value = self.sum()?;
            self.expect(")")?;
            return Ok(value.sqrt());
        }
        let mut arguments = vec![self.term()?];
        while self.take(",") {
            arguments.push(self.term()?);
        }
        self.expect(")")?;
        let areas: Vec<Vec<Value>> = arguments
            .iter()
            .map(|argument| match argument {
                Term::Area(area) => self.values(area),
                Term::Number(value) => vec![Value::Number(*value)],
                Term::Text(text) => vec![Value::Text(text.clone())],
            })
            .collect();
        // Functions pass over text, unlike operators.
        let plain = |value: &Value| match value {
            Value::Number(value) => *value,
            _ => 0.0,
        };
        Ok(match (name, areas.as_slice()) {
            ("SUM", [all]) => all.iter().map(plain).sum(),
            ("SUMPRODUCT", areas) => (0..areas[0].len())
                .map(|index| {
                    areas
                        .iter()
                        .map(|area| plain(&area[index]))
                        .product::<f64>()
                })
                .sum(),
            ("COUNTIF", [all, of]) => all
                .iter()
                .filter(|value| same(value, &of[0]))
                .map(|_| 1.0)
                .sum(),
            ("SUMIF", [all, of, values]) => all
                .iter()
                .zip(values)
                .filter(|(value, _)| same(value, &of[0]))
                .map(|(_, value)| plain(value))
                .sum(),
            _ => return Err(format!("`{name}` with {} arguments", areas.len())),
        })
    }
}

/// Whether a cell meets a criterion: texts are the same without regard to case, and digits
/// match the number that they write.
fn same(value: &Value, criterion: &Value) -> bool {
    match (value, criterion) {
        (Value::Text(a), Value::Text(b)) => a.eq_ignore_ascii_case(b),
        (Value::Number(a), Value::Number(b)) => a.to_bits() == b.to_bits(),
        _ => false,
    }
}

#[test]
fn the_evaluator_knows_the_grammar() {
    let sheet = BTreeMap::from([
        ((0, 0), Value::Number(2.0)),
        ((1, 0), Value::Number(3.0)),
        ((2, 0), Value::Text("12".to_owned())),
        ((0, 1), Value::Text("hat".to_owned())),
        ((1, 1), Value::Text("cat".to_owned())),
    ]);
    let cells = Cells::from([
        ("One".to_owned(), sheet.clone()),
        ("Two 2".to_owned(), sheet),
    ]);
    for (formula, value) in [
        ("=1+2*3-4/8", 6.5),
        ("=(1+2)*-3", -9.0),
        ("=2^3-1", 7.0),
        ("=1.5e-3*2", 0.003),
        ("=A1*$A$2", 6.0),
        ("=A3/2", 6.0),
        ("='Two 2'!$A$2+1", 4.0),
        ("=SUM(A1:A3)", 5.0),
        ("=SUMPRODUCT(A1:A2,A1:A2)", 13.0),
        (
            "=COUNTIF($B$1:$B$2,\"hat\")+COUNTIF('Two 2'!B1:B2,\"cat\")",
            2.0,
        ),
        ("=SUMIF($B$1:$B$2,B2,$A$1:$A$2)", 3.0),
        ("=SQRT(A1*8)", 4.0),
        ("=MAX(A1-A2,0)-MAX(A2-A1,0)", -1.0),
    ] {
        assert_eq!(evaluate(formula, "One", &cells), Ok(value), "{formula}");
    }
    for formula in ["=1+", "=B1*2", "=SUM(A1:A3", "=A1 A2", "=NOW()"] {
        assert!(evaluate(formula, "One", &cells).is_err(), "{formula}");
    }
}
