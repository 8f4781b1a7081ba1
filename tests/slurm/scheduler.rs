//! A Slurm of two nodes on this machine, for as long as it is held.
//!
//! Every process of it carries the path of its configuration in its environment, and that path
//! is in a temporary folder of its own: by that they are found and ended, and no others.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Where Debian has daemons.
const SEARCH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// Tells the daemons of one node from those of the other.
const NODE: &str = "WONDERSPINS_TEST_NODE";

pub(crate) struct Scheduler {
    folder: TempDir,
    configuration: String,
}

/// A process that plays a shard.
#[derive(Debug)]
pub(crate) struct Process {
    id: u32,
    /// The shard, from 1.
    pub(crate) shard: u32,
    /// The node that it runs on.
    pub(crate) node: String,
}

impl Process {
    pub(crate) fn kill(&self) {
        kill(&[self.id]);
    }
}

impl Scheduler {
    /// Starts everything and waits for both nodes; `None`, with a word, where it cannot be had.
    pub(crate) fn start() -> Option<Self> {
        let is_root = fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
        if !is_root {
            eprintln!("skipped: a test with Slurm needs root");
            return None;
        }
        for tool in ["munged", "slurmctld", "slurmd", "sbatch", "scontrol"] {
            if !SEARCH
                .split(':')
                .any(|folder| Path::new(folder).join(tool).is_file())
            {
                eprintln!("skipped: `{tool}` is missing (apt-get install slurm-wlm munge)");
                return None;
            }
        }
        let folder = TempDir::new().expect("a temporary folder");
        // munged wants its socket to be within everybody's reach.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .expect("the folder is ours");
        for name in ["munge", "state", "n1", "n2"] {
            let path = folder.path().join(name);
            fs::create_dir(&path).expect("a folder");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        let configuration = folder.path().join("slurm.conf");
        let scheduler = Self {
            configuration: configuration.to_str().expect("UTF-8").to_owned(),
            folder,
        };
        fs::write(&configuration, scheduler.text()).expect("the configuration is written");
        scheduler.start_munge();
        scheduler.daemon(Command::new("slurmctld").arg("-i"));
        for node in ["n1", "n2"] {
            scheduler.daemon(Command::new("slurmd").args(["-N", node]).env(NODE, node));
        }
        let end = Instant::now() + Duration::from_secs(30);
        while scheduler
            .command("sinfo", &["--noheader", "--states=idle", "--format=%D"])
            .trim()
            != "2"
        {
            assert!(
                Instant::now() < end,
                "the nodes did not come up\n{}",
                scheduler.logs()
            );
            std::thread::sleep(Duration::from_millis(200));
        }
        Some(scheduler)
    }

    /// A munge of its own: the machine's key and socket stay untouched.
    fn start_munge(&self) {
        let path = |name: &str| self.folder.path().join("munge").join(name);
        // The key guards a network of one machine for a minute: it need not be secret, only
        // of the right size.
        fs::write(path("key"), [0x5a; 128]).expect("the key is written");
        fs::set_permissions(path("key"), fs::Permissions::from_mode(0o600)).expect("it is ours");
        let mut munged = Command::new("munged");
        for (option, name) in [
            ("--key-file", "key"),
            ("--socket", "socket"),
            ("--pid-file", "pid"),
            ("--log-file", "log"),
            ("--seed-file", "seed"),
        ] {
            munged.arg(format!("{option}={}", path(name).display()));
        }
        self.daemon(&mut munged);
    }

    /// Starts a program that goes to the background by itself.
    fn daemon(&self, command: &mut Command) {
        let status = command
            .env("PATH", SEARCH)
            .env("SLURM_CONF", &self.configuration)
            .current_dir(self.folder.path())
            .status();
        assert!(
            status.as_ref().is_ok_and(std::process::ExitStatus::success),
            "{command:?}: {status:?}\n{}",
            self.logs()
        );
    }

    fn text(&self) -> String {
        let folder = self.folder.path().display();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("the host has a name");
        let host = host.trim().split('.').next().unwrap_or_default();
        let [controller, first, second] = free_ports();
        format!(
            "ClusterName=wonderspins
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={controller}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
# Credentials of five seconds: a task that requeues itself starts after these, not after two
# minutes.
AuthInfo=cred_expire=5,socket={folder}/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
# More processors than the machine has.
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobRequeue=1
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=3600
SchedulerParameters=sched_interval=1,bf_interval=1,default_queue_depth=2000,batch_sched_delay=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=4
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=4
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"
        )
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path for `SLURM_CONF`.
    pub(crate) fn configuration(&self) -> &str {
        &self.configuration
    }

    /// What a command of Slurm prints, on both streams.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program)
            .env("PATH", SEARCH)
            .env("SLURM_CONF", &self.configuration)
            .args(arguments)
            .output()
            .expect("a command of Slurm starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    }

    /// The programs that play a shard at this moment.
    pub(crate) fn shards(&self) -> Vec<Process> {
        self.processes()
            .filter_map(|(id, environment)| {
                let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
                let line = String::from_utf8_lossy(&line).into_owned();
                let mut words = line.split('\0');
                words.find(|word| *word == "--shard")?;
                let shard = words.next()?.split('/').next()?.parse().ok()?;
                let node = value(&environment, "SLURMD_NODENAME")?.to_owned();
                Some(Process { id, shard, node })
            })
            .collect()
    }

    /// Ends a node at a blow: its daemon, the daemons of its steps, and their tasks.
    pub(crate) fn lose_node(&self, node: &str) {
        let all: Vec<u32> = self
            .processes()
            .filter(|(_, environment)| {
                [NODE, "SLURMD_NODENAME"]
                    .iter()
                    .any(|name| value(environment, name) == Some(node))
            })
            .map(|(id, _)| id)
            .collect();
        assert!(
            all.len() >= 4,
            "a daemon, a step, a script, a program: {all:?}"
        );
        kill(&all);
    }

    /// Every process of this Slurm with its environment.
    fn processes(&self) -> impl Iterator<Item = (u32, String)> {
        let mine = self.configuration.clone();
        fs::read_dir("/proc")
            .expect("Linux has /proc")
            .flatten()
            .filter_map(move |entry| {
                let id = entry.file_name().to_str()?.parse().ok()?;
                let environment = fs::read(entry.path().join("environ")).ok()?;
                let environment = String::from_utf8_lossy(&environment).into_owned();
                (value(&environment, "SLURM_CONF") == Some(&mine)).then_some((id, environment))
            })
    }

    /// The ends of all logs.
    pub(crate) fn logs(&self) -> String {
        [
            "slurmctld.log",
            "slurmd-n1.log",
            "slurmd-n2.log",
            "munge/log",
        ]
        .iter()
        .map(|name| {
            let path: PathBuf = self.folder.path().join(name);
            let text = fs::read_to_string(path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let end = &lines[lines.len().saturating_sub(40)..];
            format!("--- {name}\n{}\n", end.join("\n"))
        })
        .collect::<Vec<_>>()
        .concat()
    }
}

impl Drop for Scheduler {
    /// Ends what is left, also after a failure; twice, for what was just being started.
    fn drop(&mut self) {
        for _ in 0..2 {
            let all: Vec<u32> = self.processes().map(|(id, _)| id).collect();
            kill(&all);
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// A variable of an environment as the kernel shows it.
fn value<'a>(environment: &'a str, name: &str) -> Option<&'a str> {
    environment
        .split('\0')
        .find_map(|entry| entry.strip_prefix(name)?.strip_prefix('='))
}

fn kill(processes: &[u32]) {
    if processes.is_empty() {
        return;
    }
    let ids = processes.iter().map(ToString::to_string);
    // One that has ended in the meantime is no failure.
    let _ = Command::new("kill").arg("-KILL").args(ids).output();
}

/// Ports that nobody listens on.
fn free_ports() -> [u16; 3] {
    let listeners = [(); 3].map(|()| TcpListener::bind(("127.0.0.1", 0)).expect("a free port"));
    listeners.map(|listener| listener.local_addr().expect("it has an address").port())
}
