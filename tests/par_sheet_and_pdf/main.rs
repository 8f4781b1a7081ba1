//! The PAR sheet and the PDF of one certificate.

#[path = "../common/mod.rs"]
mod common;
mod formula;
mod par_sheet;
mod pdf;

use std::fs;
use std::sync::OnceLock;

use wonderspins::document::{
    Certificate, Commitment, ConvergencePoint, Requirement, RtpBand, SideFile,
};
use wonderspins::report::xlsx::{SHEET_ROWS, par_sheet};

/// A game of at most six spins with figures declared, one of them wrong: fast, and complete in
/// its parts.
fn certificate() -> &'static Certificate {
    static MADE: OnceLock<Certificate> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut text = common::edited("pa-693-6-net-zero", "# max_spins = 100 ", "max_spins = 6 ");
        text.push_str("\n[declared.2]\nhit_frequency = \"99.78%\"\nmean_meter = \"1.5\"\n");
        let (folder, path) = common::with_file(&text);
        let out = folder.path().join("out");
        common::run(&[
            "certify",
            path.to_str().expect("a UTF-8 path"),
            "--rounds",
            "2e5",
            "--seed",
            "1",
            "--quiet",
            "--out",
            out.to_str().expect("a UTF-8 path"),
        ])
        .exits(1);
        let written = fs::read(out.join("certificate.json")).expect("the certificate");
        let certificate = serde_json::from_slice(&written).expect("a certificate");
        let sheet = fs::read(out.join("par-sheet.xlsx")).expect("the PAR sheet is always written");
        assert!(
            par_sheet(&certificate, SHEET_ROWS).expect("a workbook") == sheet,
            "the sheet is written from the certificate alone"
        );
        certificate
    })
}

/// The certificate with every optional part filled.
fn filled() -> Certificate {
    let mut certificate = certificate().clone();
    certificate.self_sha256 = "5e".repeat(32);
    certificate.exact.rtp_bands = vec![RtpBand {
        trigger: 2,
        plays: 1_000_000_000,
        level: 0.95,
        lower: 0.93,
        upper: 0.97,
        method: "normal".to_owned(),
    }];
    certificate.commitments = vec![Commitment {
        trigger: 2,
        leaf_rounds: 16_384,
        leaves: 13,
        root: "ab".repeat(32),
        convergence: vec![
            ConvergencePoint {
                rounds: 16_384,
                sum_meter: "221184".to_owned(),
            },
            ConvergencePoint {
                rounds: 200_000,
                // Above 2^53: no spreadsheet number holds it.
                sum_meter: "9007199254740993".to_owned(),
            },
        ],
    }];
    certificate.side_file = Some(SideFile {
        name: "leaves.bin".to_owned(),
        bytes: 4096,
        sha256: "cd".repeat(32),
    });
    certificate.requirements = vec![Requirement {
        check: "mean-meter".to_owned(),
        requirement: "a mean off by one hundredth".to_owned(),
    }];
    certificate.checks[0].power = Some("a mean off by 0.05 would have been seen".to_owned());
    certificate
}
