//! Asks the library one thing after the other, and keeps each answer at once: the next call may not come back.

use crate::codes::Wrong;
use crate::raw::{Answer, Handle, Library, Memory};
use crate::report::{Device, Extent, Failure, MigInstance, NvmlReport, Tried};
use std::ffi::OsString;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More devices or instances than this are no count but garbage.
const MOST: u32 = 1024;

/// Bytes of a MiB.
const MIB: u64 = 1 << 20;

/// Reasons for lower clocks, by bit.
const REASONS: [&str; 9] = [
    "gpu-idle",
    "applications-clocks-setting",
    "sw-power-cap",
    "hw-slowdown",
    "sync-boost",
    "sw-thermal-slowdown",
    "hw-thermal-slowdown",
    "hw-power-brake-slowdown",
    "display-clock-setting",
];

/// What is known while a reading is under way.
#[derive(Default, Debug)]
pub(crate) struct Progress {
    /// What was read so far.
    pub(crate) report: NvmlReport,
    /// The function that is asked at the moment.
    pub(crate) call: &'static str,
    /// The device it is asked about.
    pub(crate) device: Option<u32>,
}

/// A thread that fell over leaves what it read.
pub(crate) fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Loads and starts the first library of the places that can be loaded. What goes wrong is in the report.
pub(crate) fn open(progress: &Mutex<Progress>, places: &[OsString]) -> Option<Library> {
    *lock(progress) = Progress::default();
    let mut loaded = None;
    for place in places {
        lock(progress).call = "load";
        let found = Library::load(place);
        let mut now = lock(progress);
        let path = place.to_string_lossy().into_owned();
        let (error, says) = match &found {
            Ok(_) => {
                now.report.library = Some(path.clone());
                (None, None)
            }
            Err((name, says)) => (Some((*name).to_owned()), Some(says.clone())),
        };
        now.report.tried.push(Tried { path, error, says });
        if let Ok(library) = found {
            loaded = Some(library);
            break;
        }
    }
    let Some(library) = loaded else {
        let mut now = lock(progress);
        // A file that is there and is refused says more than names under which nothing is.
        let errors = || now.report.tried.iter().filter_map(|tried| tried.error.as_deref());
        let error = errors().find(|e| *e != "library-not-found").unwrap_or("library-not-found").to_owned();
        now.report.error = Some(Failure { field: "library".to_owned(), call: None, error });
        return None;
    };
    let call = "nvmlInit_v2";
    lock(progress).call = call;
    let started = library.init();
    if let Err(wrong) = started {
        // The library knows its version without a driver, which tells one that does not fit to it.
        lock(progress).call = "nvmlSystemGetNVMLVersion";
        let version = library.nvml_version().ok().filter(|version| !version.is_empty());
        let mut now = lock(progress);
        now.report.nvml = version;
        now.report.error = Some(failure("init", call, &wrong));
        return None;
    }
    Some(library)
}

/// Reads everything of a library that was started.
pub(crate) fn read(progress: &Mutex<Progress>, library: &Library, extent: Extent) {
    {
        let mut now = lock(progress);
        let before = std::mem::take(&mut now.report);
        now.report = NvmlReport { tried: before.tried, library: before.library, ..NvmlReport::default() };
    }
    let reader = Reader { progress, library };
    reader.system();
    let call = "nvmlDeviceGetCount_v2";
    let count = match reader.ask(call, None, Library::count) {
        Ok(count) => count,
        Err(wrong) => {
            lock(progress).report.error = Some(failure("devices", call, &wrong));
            return;
        }
    };
    lock(progress).report.device_count = Some(count);
    if count > MOST {
        lock(progress).report.failures.push(failure("devices", call, &Wrong::Unexpected(count)));
    }
    for index in 0..count.min(MOST) {
        lock(progress).report.devices.push(Device::new(index));
        // A device that is lost has said so.
        if let Some(device) = reader.handle(index) {
            let _ = reader.device(index, device, extent);
        }
    }
}

fn failure(field: &str, call: &str, wrong: &Wrong) -> Failure {
    Failure { field: field.to_owned(), call: Some(call.to_owned()), error: wrong.name() }
}

/// The device is lost: nothing more is to be asked of it.
struct Lost;

struct Reader<'a> {
    progress: &'a Mutex<Progress>,
    library: &'a Library,
}

impl Reader<'_> {
    /// One call.
    fn ask<T>(
        &self,
        call: &'static str,
        device: Option<u32>,
        question: impl FnOnce(&Library) -> Answer<T>,
    ) -> Answer<T> {
        {
            let mut now = lock(self.progress);
            (now.call, now.device) = (call, device);
        }
        question(self.library)
    }

    /// Versions.
    fn system(&self) {
        let keep = |field: &str, call: &str, answer: Answer<String>, put: fn(&mut NvmlReport, String)| {
            let mut now = lock(self.progress);
            match answer {
                Ok(text) if text.is_empty() => {
                    now.report.failures.push(failure(field, call, &Wrong::NoValue))
                }
                Ok(text) => put(&mut now.report, text),
                Err(wrong) if wrong.not_supported() => {}
                Err(wrong) => now.report.failures.push(failure(field, call, &wrong)),
            }
        };
        let call = "nvmlSystemGetDriverVersion";
        keep("driver", call, self.ask(call, None, Library::driver_version), |r, v| r.driver = Some(v));
        let call = "nvmlSystemGetNVMLVersion";
        keep("nvml", call, self.ask(call, None, Library::nvml_version), |r, v| r.nvml = Some(v));
        let mut call = "nvmlSystemGetCudaDriverVersion_v2";
        let mut answer = self.ask(call, None, Library::cuda_version);
        if answer.as_ref().is_err_and(Wrong::too_new) {
            call = "nvmlSystemGetCudaDriverVersion";
            answer = self.ask(call, None, Library::cuda_version_v1);
        }
        // 12040 is 12.4.
        let text = answer.and_then(|number| {
            let text = || format!("{}.{}", number / 1000, number % 1000 / 10);
            (number >= 1000).then(text).ok_or(Wrong::NoValue)
        });
        keep("cuda", call, text, |r, v| r.cuda = Some(v));
    }

    fn handle(&self, index: u32) -> Option<Handle> {
        let call = "nvmlDeviceGetHandleByIndex_v2";
        match self.ask(call, Some(index), |library| library.device(index)) {
            Ok(handle) => Some(handle),
            Err(wrong) => {
                self.last(|device| device.failures.push(failure("device", call, &wrong)));
                None
            }
        }
    }

    /// The device that is being read.
    fn last(&self, change: impl FnOnce(&mut Device)) {
        if let Some(device) = lock(self.progress).report.devices.last_mut() {
            change(device);
        }
    }

    /// Keeps an answer about the last device.
    fn keep<T>(
        &self,
        field: &'static str,
        call: &'static str,
        answer: Answer<T>,
        put: impl FnOnce(&mut Device, T),
    ) -> Result<(), Lost> {
        match answer {
            Ok(value) => self.last(|device| put(device, value)),
            Err(wrong) if wrong.not_supported() => {}
            Err(wrong) => {
                self.last(|device| device.failures.push(failure(field, call, &wrong)));
                if wrong.lost() {
                    return Err(Lost);
                }
            }
        }
        Ok(())
    }

    /// Everything of one device.
    fn device(&self, index: u32, device: Handle, extent: Extent) -> Result<(), Lost> {
        self.names(index, device)?;
        self.memory(index, device)?;
        if extent != Extent::Changing {
            self.settings(index, device)?;
        }
        match extent {
            Extent::Identity => self.power_limit(index, device)?,
            Extent::Changing | Extent::All => self.changing(index, device)?,
        }
        if extent == Extent::All {
            self.ecc_errors(index, device)?;
        }
        Ok(())
    }

    fn names(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let at = Some(index);
        let call = "nvmlDeviceGetName";
        let name = self.ask(call, at, |l| l.name(device)).and_then(said);
        self.keep("name", call, name, |d, v| d.name = Some(v))?;
        let call = "nvmlDeviceGetUUID";
        let uuid = self.ask(call, at, |l| l.uuid(device)).and_then(said);
        self.keep("uuid", call, uuid, |d, v| d.uuid = Some(v))?;
        let call = "nvmlDeviceGetPciInfo_v3";
        match self.ask(call, at, |l| l.pci(device)) {
            Ok(pci) => {
                self.last(|d| d.pci_device_id = Some(pci.device_id).filter(|id| *id != 0));
                self.keep("pci_bus_id", call, pci.bus_id.and_then(said), |d, v| d.pci_bus_id = Some(v))
            }
            Err(wrong) => self.keep("pci_bus_id", call, Err::<String, _>(wrong), |_, _| {}),
        }
    }

    fn memory(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let (call, memory) = self.memory_of(index, device);
        self.keep("memory_total_mib", call, memory, |d, memory| {
            d.memory_total_mib = Some(memory.total / MIB);
            d.memory_used_mib = Some(memory.used / MIB);
            d.memory_free_mib = Some(memory.free / MIB);
        })
    }

    fn memory_of(&self, index: u32, device: Handle) -> (&'static str, Answer<Memory>) {
        let mut call = "nvmlDeviceGetMemoryInfo_v2";
        let mut memory = self.ask(call, Some(index), |l| l.memory(device));
        if memory.as_ref().is_err_and(Wrong::too_new) {
            call = "nvmlDeviceGetMemoryInfo";
            memory = self.ask(call, Some(index), |l| l.memory_v1(device));
        }
        let full = |m: &Memory| m.total != u64::MAX && m.used != u64::MAX && m.free != u64::MAX;
        (call, memory.and_then(|m| if full(&m) { Ok(m) } else { Err(Wrong::NoValue) }))
    }

    fn settings(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let at = Some(index);
        let call = "nvmlDeviceGetCudaComputeCapability";
        let capability = self.ask(call, at, |l| l.compute_capability(device)).and_then(|(major, minor)| {
            let known = (1..1000).contains(&major) && (0..1000).contains(&minor);
            known.then(|| format!("{major}.{minor}")).ok_or(Wrong::NoValue)
        });
        self.keep("compute_capability", call, capability, |d, v| d.compute_capability = Some(v))?;
        self.driver_model(index, device)?;
        self.mig(index, device)?;
        let call = "nvmlDeviceGetComputeMode";
        let modes = ["default", "exclusive-thread", "prohibited", "exclusive-process"];
        let mode = self.ask(call, at, |l| l.compute_mode(device)).and_then(|mode| word(&modes, mode));
        self.keep("compute_mode", call, mode, |d, v| d.compute_mode = Some(v))?;
        let call = "nvmlDeviceGetPersistenceMode";
        let persistence = self.ask(call, at, |l| l.persistence(device)).and_then(yes);
        self.keep("persistence", call, persistence, |d, v| d.persistence = Some(v))?;
        let call = "nvmlDeviceGetEccMode";
        let ecc = self.ask(call, at, |l| l.ecc(device)).and_then(both);
        self.keep("ecc", call, ecc, |d, (now, then)| (d.ecc, d.ecc_pending) = (Some(now), Some(then)))
    }

    fn driver_model(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let mut call = "nvmlDeviceGetDriverModel_v2";
        let mut models = self.ask(call, Some(index), |l| l.driver_model(device));
        if models.as_ref().is_err_and(Wrong::too_new) {
            call = "nvmlDeviceGetDriverModel";
            models = self.ask(call, Some(index), |l| l.driver_model_v1(device));
        }
        // Elsewhere than on Windows there is no driver model, whether or not there is the function.
        if !cfg!(windows) && models == Err(Wrong::Missing) {
            return Ok(());
        }
        let names = ["WDDM", "TCC", "MCDM"];
        let models = models.and_then(|(now, then)| Ok((word(&names, now)?, word(&names, then)?)));
        self.keep("driver_model", call, models, |d, (now, then)| {
            (d.driver_model, d.driver_model_pending) = (Some(now), Some(then));
        })
    }

    fn mig(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let at = Some(index);
        let call = "nvmlDeviceGetMigMode";
        let mode = self.ask(call, at, |l| l.mig_mode(device)).and_then(both);
        let divided = mode.as_ref().is_ok_and(|(now, _)| *now);
        self.keep("mig", call, mode, |d, (now, then)| (d.mig, d.mig_pending) = (Some(now), Some(then)))?;
        if !divided {
            return Ok(());
        }
        let call = "nvmlDeviceGetMaxMigDeviceCount";
        let mut count = 0;
        let most = self.ask(call, at, |l| l.mig_count(device));
        let most = most.and_then(|most| if most > MOST { Err(Wrong::Unexpected(most)) } else { Ok(most) });
        self.keep("mig_instances", call, most, |_, most| count = most)?;
        for number in 0..count {
            let call = "nvmlDeviceGetMigDeviceHandleByIndex";
            match self.ask(call, at, |l| l.mig_instance(device, number)) {
                Ok(instance) => self.instance(index, number, instance)?,
                // Numbers that no instance has are free.
                Err(wrong) if wrong.not_found() => {}
                Err(wrong) => self.keep("mig_instances", call, Err::<(), _>(wrong), |_, ()| {})?,
            }
        }
        Ok(())
    }

    fn instance(&self, index: u32, number: u32, instance: Handle) -> Result<(), Lost> {
        let at = Some(index);
        self.last(|d| d.mig_instances.push(MigInstance { index: number, ..MigInstance::default() }));
        let put = |d: &mut Device, change: &mut dyn FnMut(&mut MigInstance)| {
            if let Some(instance) = d.mig_instances.last_mut() {
                change(instance);
            }
        };
        let call = "nvmlDeviceGetName";
        let name = self.ask(call, at, |l| l.name(instance)).and_then(said);
        self.keep("mig_instances", call, name, |d, name| {
            put(d, &mut |i| {
                i.profile = name.rsplit_once(" MIG ").map(|(_, profile)| profile.to_owned());
                i.name = Some(name.clone());
            });
        })?;
        let call = "nvmlDeviceGetUUID";
        let uuid = self.ask(call, at, |l| l.uuid(instance)).and_then(said);
        self.keep("mig_instances", call, uuid, |d, uuid| put(d, &mut |i| i.uuid = Some(uuid.clone())))?;
        let (call, memory) = self.memory_of(index, instance);
        self.keep("mig_instances", call, memory, |d, memory| {
            put(d, &mut |i| i.memory_total_mib = Some(memory.total / MIB));
        })
    }

    fn changing(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let at = Some(index);
        let call = "nvmlDeviceGetTemperature";
        let temperature = self.ask(call, at, |l| l.temperature(device)).and_then(measured);
        self.keep("temperature_c", call, temperature, |d, v| d.changing.temperature_c = Some(v))?;
        let call = "nvmlDeviceGetPowerUsage";
        let power = self.ask(call, at, |l| l.power(device)).and_then(measured);
        self.keep("power_mw", call, power, |d, v| d.changing.power_mw = Some(v))?;
        self.power_limit(index, device)?;
        let call = "nvmlDeviceGetUtilizationRates";
        let rates = self.ask(call, at, |l| l.utilisation(device));
        let rates = rates.and_then(|(gpu, memory)| Ok((measured(gpu)?, measured(memory)?)));
        self.keep("utilisation_gpu", call, rates, |d, (gpu, memory)| {
            (d.changing.utilisation_gpu, d.changing.utilisation_memory) = (Some(gpu), Some(memory));
        })?;
        let call = "nvmlDeviceGetClockInfo";
        let clock = self.ask(call, at, |l| l.clock_sm(device)).and_then(measured);
        self.keep("clock_sm_mhz", call, clock, |d, v| d.changing.clock_sm_mhz = Some(v))?;
        let clock = self.ask(call, at, |l| l.clock_memory(device)).and_then(measured);
        self.keep("clock_memory_mhz", call, clock, |d, v| d.changing.clock_memory_mhz = Some(v))?;
        let mut call = "nvmlDeviceGetCurrentClocksEventReasons";
        let mut reasons = self.ask(call, at, |l| l.clock_reasons(device));
        if reasons.as_ref().is_err_and(Wrong::too_new) {
            call = "nvmlDeviceGetCurrentClocksThrottleReasons";
            reasons = self.ask(call, at, |l| l.clock_reasons_v1(device));
        }
        let reasons = reasons.and_then(|bits| if bits == u64::MAX { Err(Wrong::NoValue) } else { Ok(bits) });
        self.keep("clock_reasons", call, reasons, |d, bits| d.changing.clock_reasons = Some(reasons_of(bits)))
    }

    /// It changes, but somebody sets it.
    fn power_limit(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let call = "nvmlDeviceGetEnforcedPowerLimit";
        let limit = self.ask(call, Some(index), |l| l.power_limit(device)).and_then(measured);
        self.keep("power_limit_mw", call, limit, |d, v| d.changing.power_limit_mw = Some(v))
    }

    /// Counted where ECC is on.
    fn ecc_errors(&self, index: u32, device: Handle) -> Result<(), Lost> {
        let mut on = false;
        self.last(|d| on = d.ecc == Some(true));
        if !on {
            return Ok(());
        }
        let call = "nvmlDeviceGetTotalEccErrors";
        let count = self.ask(call, Some(index), |l| l.ecc_uncorrected(device, false));
        self.keep("ecc_uncorrected_volatile", call, count, |d, v| d.ecc_uncorrected_volatile = Some(v))?;
        let count = self.ask(call, Some(index), |l| l.ecc_uncorrected(device, true));
        self.keep("ecc_uncorrected_aggregate", call, count, |d, v| d.ecc_uncorrected_aggregate = Some(v))
    }
}

/// A text that says something.
fn said(text: String) -> Answer<String> {
    if text.is_empty() { Err(Wrong::NoValue) } else { Ok(text) }
}

/// NVML writes all bits where it has no value.
fn measured(value: u32) -> Answer<u32> {
    if value == u32::MAX { Err(Wrong::NoValue) } else { Ok(value) }
}

fn yes(value: u32) -> Answer<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Wrong::Unexpected(other)),
    }
}

fn both((now, then): (u32, u32)) -> Answer<(bool, bool)> {
    Ok((yes(now)?, yes(then)?))
}

fn word(words: &[&str], value: u32) -> Answer<String> {
    let known = usize::try_from(value).ok().and_then(|at| words.get(at));
    known.map(|word| (*word).to_owned()).ok_or(Wrong::Unexpected(value))
}

fn reasons_of(bits: u64) -> Vec<String> {
    let set = (0..64_usize).filter(|bit| bits >> bit & 1 == 1);
    set.map(|bit| REASONS.get(bit).map_or_else(|| format!("bit-{bit}"), |name| (*name).to_owned())).collect()
}
