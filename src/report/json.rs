//! `certificate.json`.

use super::{ReportError, ReportFile, ReportWriter};
use crate::document::{Certificate, to_json};

pub(super) struct Json;

impl ReportWriter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        let bytes = to_json(certificate).into_bytes();
        Ok(vec![ReportFile {
            name: "certificate.json".to_owned(),
            bytes,
        }])
    }
}
