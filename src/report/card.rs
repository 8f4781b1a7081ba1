//! The pay table of the bonus for players: one page, from [`CardDocument`] alone.
//!
//! | file | writes |
//! | --- | --- |
//! | `view` | the page's tables and sentences, shared by all forms |
//! | `picture` | both wheels in one picture, as SVG |
//! | `plain` | text for a terminal |
//!
//! The HTML is one file without script or network and prints on one page, A4 or Letter; the PDF
//! is set by Typst from a template of its own, with the feature `pdf`.

mod picture;
mod plain;
mod view;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};

use super::{ReportError, ReportFile};
use crate::document::CardDocument;

pub use plain::text;

/// File name of the template of the PDF.
const TEMPLATE: &str = "card.typ";
/// File name of its data.
const DATA: &str = "card.json";

/// The page as HTML.
///
/// # Errors
/// - [`ReportError::Template`]: the template did not render
pub fn html(card: &CardDocument) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("card.css", include_str!("templates/card.css"))?;
    environment.add_template("card.html", include_str!("templates/card.html"))?;
    let page = environment
        .get_template("card.html")?
        .render(Serde(view::view(card)))?;
    Ok(page)
}

/// The template of the PDF and its data, `card.typ` and `card.json`: any Typst 0.15 turns them
/// into the page.
///
/// # Errors
/// - [`ReportError::Data`]: the data are no JSON
pub fn source(card: &CardDocument) -> Result<Vec<ReportFile>, ReportError> {
    Ok(vec![
        ReportFile {
            name: TEMPLATE.to_owned(),
            bytes: include_bytes!("templates/card.typ").to_vec(),
        },
        ReportFile {
            name: DATA.to_owned(),
            bytes: serde_json::to_vec(&view::view(card))?,
        },
    ])
}

/// Whether this program writes the page as PDF.
///
/// # Errors
/// - [`ReportError::Unavailable`]: it was built without the feature `pdf`
pub fn require_pdf() -> Result<(), ReportError> {
    super::pdf::required()
}

/// The page as PDF.
///
/// # Errors
/// - [`ReportError::Unavailable`]: this program was built without the feature `pdf`
/// - [`ReportError::Typst`]: Typst refused the template
pub fn pdf(card: &CardDocument) -> Result<Vec<u8>, ReportError> {
    super::pdf::compiled(&source(card)?)
}
