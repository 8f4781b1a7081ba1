//! What a figure depends on beside the program: processor, system, build.

use sysinfo::{CpuRefreshKind, RefreshKind, System};

use crate::document::{Build, Machine};

/// This machine, by nothing that names it.
pub(super) fn machine() -> Machine {
    let system =
        System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    let cpu = system
        .ok()
        .and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()))
        .filter(|brand| !brand.is_empty());
    Machine {
        cpu: cpu.unwrap_or_else(|| "unknown".to_owned()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        os: std::env::consts::OS.to_owned(),
        architecture: std::env::consts::ARCH.to_owned(),
    }
}

/// This build.
pub(super) fn build() -> Build {
    let profile = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    Build {
        profile: profile.to_owned(),
        rust: env!("CARGO_PKG_RUST_VERSION").to_owned(),
    }
}

/// Processor seconds that all threads of this process have used so far, where the system
/// tells them.
#[cfg_attr(
    unix,
    expect(
        clippy::unnecessary_wraps,
        reason = "the clock is missing on other systems"
    )
)]
pub(super) fn process_seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        #[expect(
            clippy::cast_precision_loss,
            reason = "seconds of processor time are far below 2^53"
        )]
        Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
    }
    #[cfg(not(unix))]
    {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_a_processor() {
        let machine = machine();
        assert!(machine.cores >= 1);
        assert!(!machine.cpu.is_empty());
        assert_eq!(build().profile, "debug", "tests check assertions");
    }

    #[cfg(unix)]
    #[test]
    fn work_costs_processor_time_and_sleep_does_not() {
        let before = process_seconds().expect("a unix");
        let mut sum = 0_u64;
        for k in 0..20_000_000_u64 {
            sum = std::hint::black_box(sum ^ k);
        }
        let after = process_seconds().expect("a unix");
        assert!(after > before, "{before} {after}");
    }
}
