//! `certificate.json`.

use super::{ReportError, ReportFile, ReportWriter};
use crate::document::Certificate;

pub(super) struct Json;

impl ReportWriter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        Ok(vec![ReportFile {
            name: "certificate.json".to_owned(),
            bytes: certificate.to_bytes(),
        }])
    }
}
