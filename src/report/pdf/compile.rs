//! Typst on two files in memory: no package, no system font, no clock.

use std::sync::LazyLock;

use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::super::{ReportError, ReportFile};

/// The fonts that Typst brings, which are all that a report uses: the same bytes everywhere.
static FONTS: LazyLock<Vec<Font>> = LazyLock::new(|| {
    typst_assets::fonts()
        .flat_map(|data| Font::iter(Bytes::new(data)))
        .collect()
});

/// A template and its data.
struct Desk {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    template: Source,
    data: (FileId, Bytes),
}

impl World for Desk {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    fn main(&self) -> FileId {
        self.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() {
            Ok(self.template.clone())
        } else {
            Err(FileError::AccessDenied)
        }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        if id == self.data.0 {
            Ok(self.data.1.clone())
        } else {
            Err(FileError::AccessDenied)
        }
    }

    fn font(&self, index: usize) -> Option<Font> {
        FONTS.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        // The clock must not enter: the document states its date.
        None
    }
}

/// The report as PDF/A-3b, tagged, with its fonts inside.
///
/// # Errors
/// [`ReportError::Typst`]: a file is missing, or Typst refuses the template or the standard
pub(super) fn pdf(files: &[ReportFile]) -> Result<Vec<u8>, ReportError> {
    let [template, data] = files else {
        return Err(refused("a template and its data are needed"));
    };
    let named = |file: &ReportFile| Ok::<_, ReportError>((id(&file.name)?, file.bytes.clone()));
    let (main, template) = named(template)?;
    let (data, content) = named(data)?;
    let template = String::from_utf8(template).map_err(|error| refused(&error.to_string()))?;
    let desk = Desk {
        library: LazyHash::new(Library::default()),
        book: LazyHash::new(FontBook::from_fonts(&*FONTS)),
        template: Source::new(main, template),
        data: (data, Bytes::new(content)),
    };
    let document = typst::compile::<PagedDocument>(&desk)
        .output
        .map_err(|found| diagnosed(&found))?;
    let options = PdfOptions {
        standards: PdfStandards::new(&[PdfStandard::A_3b])
            .map_err(|error| refused(error.message()))?,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(|found| diagnosed(&found))
}

fn id(name: &str) -> Result<FileId, ReportError> {
    let path = VirtualPath::new(name).map_err(|error| refused(&format!("{error:?}")))?;
    Ok(RootedPath::new(VirtualRoot::Project, path).intern())
}

fn diagnosed(found: &[SourceDiagnostic]) -> ReportError {
    let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    refused(&messages.join("; "))
}

fn refused(message: &str) -> ReportError {
    ReportError::Typst(message.to_owned())
}
