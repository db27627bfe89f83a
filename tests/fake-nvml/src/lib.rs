//! A management library that answers from the TOML file which the variable `FAKE_NVML` names: [`world::World`].
//!
//! It stands in for a driver: built as a shared library it is loaded as `libnvidia-ml.so.1` or `nvml.dll`. The C
//! structures are written down here once more, from the documentation of NVML, so that a test compares two readings of
//! it. A library that lacks functions is a copy of the file with their names changed: [`older`].
//!
//! The caller keeps what NVML documents: pointers lead to values of the documented types or are null, lengths are those
//! of their buffers.

#![allow(clippy::missing_safety_doc, clippy::not_unsafe_ptr_arg_deref, non_snake_case)]

mod place;
mod world;

pub use place::{library, older};

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};
use std::sync::{Mutex, PoisonError};
use world::{Behaviour, Device, Instance, Text, World};

type Code = c_uint;
type Handle = *mut c_void;

const UNINITIALIZED: Code = 1;
const INVALID_ARGUMENT: Code = 2;
const NOT_SUPPORTED: Code = 3;
const NOT_FOUND: Code = 6;
const INSUFFICIENT_SIZE: Code = 7;
const GPU_IS_LOST: Code = 15;
const ARGUMENT_VERSION_MISMATCH: Code = 25;
const UNKNOWN: Code = 999;

const MIB: u64 = 1 << 20;

static WORLD: Mutex<Option<World>> = Mutex::new(None);

/// What a function of the file does: `Err` is its code.
type Answer = Result<(), Code>;

/// Answers a call, unless the file says that it fails or hangs.
fn answer(call: &str, device: Option<usize>, give: impl FnOnce(&mut World) -> Answer) -> Code {
    let behaviour = {
        let mut held = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(world) = held.as_mut() else { return UNINITIALIZED };
        let own = device.and_then(|at| world.device.get(at)).and_then(|device| device.calls.get(call));
        match own.or_else(|| world.calls.get(call)).cloned() {
            None => {
                let lost = device.and_then(|at| world.device.get(at)).is_some_and(Device::is_lost);
                let given = if lost { Err(GPU_IS_LOST) } else { give(world) };
                return given.err().unwrap_or(0);
            }
            Some(behaviour) => behaviour,
        }
    };
    behave(&behaviour)
}

fn behave(behaviour: &Behaviour) -> Code {
    match behaviour {
        Behaviour::Code(code) => *code,
        Behaviour::Hang(_) => {
            std::thread::sleep(std::time::Duration::from_secs(3600));
            UNKNOWN
        }
    }
}

/// The device and, where the handle is that of an instance, its number.
fn parts(handle: Handle) -> (usize, Option<usize>) {
    let number = handle as usize;
    ((number & 0xffff).wrapping_sub(1), (number >> 16).checked_sub(1))
}

fn handle(device: usize, instance: Option<usize>) -> Handle {
    ((device + 1) | (instance.map_or(0, |i| i + 1) << 16)) as Handle
}

fn put<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(INVALID_ARGUMENT);
    }
    // SAFETY: the caller's pointer leads to a value of this type.
    unsafe { to.write(value) };
    Ok(())
}

fn put_pair<T>(first: *mut T, second: *mut T, values: Option<[T; 2]>) -> Answer {
    let [a, b] = values.ok_or(NOT_SUPPORTED)?;
    put(first, a)?;
    put(second, b)
}

/// Text with its end; bytes as they are, without an end where they fill the buffer.
fn put_text(to: *mut c_char, length: usize, text: &Text) -> Answer {
    if to.is_null() {
        return Err(INVALID_ARGUMENT);
    }
    let (bytes, ended) = match text {
        Text::Plain(text) => (text.as_bytes(), true),
        Text::Bytes(bytes) => (bytes.as_slice(), false),
    };
    if ended && bytes.len() >= length {
        return Err(INSUFFICIENT_SIZE);
    }
    let end = (bytes.len() < length).then_some(0);
    for (at, byte) in bytes.iter().copied().chain(end).take(length).enumerate() {
        // SAFETY: `at` is below the length of the caller's buffer.
        unsafe { to.add(at).write(byte as c_char) };
    }
    Ok(())
}

/// A function about a device.
fn of_device(
    call: &str,
    device: Handle,
    give: impl FnOnce(&mut Device, Option<&Instance>) -> Answer,
) -> Code {
    let (at, number) = parts(device);
    answer(call, Some(at), |world| {
        let device = world.device.get_mut(at).ok_or(INVALID_ARGUMENT)?;
        let instance =
            number.map(|n| device.instances.get(n).cloned().ok_or(INVALID_ARGUMENT)).transpose()?;
        give(device, instance.as_ref())
    })
}

/// A number about a device that it may not support.
fn number<T>(call: &str, device: Handle, to: *mut T, give: impl FnOnce(&mut Device) -> Option<T>) -> Code {
    of_device(call, device, |device, _| put(to, give(device).ok_or(NOT_SUPPORTED)?))
}

/// Two of them.
fn numbers<T>(
    call: &str,
    device: Handle,
    first: *mut T,
    second: *mut T,
    give: impl FnOnce(&mut Device) -> Option<[T; 2]>,
) -> Code {
    of_device(call, device, |device, _| put_pair(first, second, give(device)))
}

/// `nvmlInit_v2`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlInit_v2() -> Code {
    let path = std::env::var_os("FAKE_NVML").unwrap_or_default();
    let world = std::fs::read_to_string(&path).map_err(|e| e.to_string());
    let world: World = match world.and_then(|text| toml::from_str(&text).map_err(|e| e.to_string())) {
        Ok(world) => world,
        Err(error) => {
            eprintln!("FAKE_NVML: {}: {error}", path.display());
            return UNKNOWN;
        }
    };
    let behaviour = world.calls.get("nvmlInit_v2").cloned();
    let mut held = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
    *held = Some(world);
    drop(held);
    behaviour.map_or(0, |behaviour| behave(&behaviour))
}

/// `nvmlShutdown`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlShutdown() -> Code {
    answer("nvmlShutdown", None, |_| Ok(()))
}

/// `nvmlErrorString`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlErrorString(_code: Code) -> *const c_char {
    c"an error of the stand-in".as_ptr()
}

/// `nvmlSystemGetDriverVersion`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlSystemGetDriverVersion(version: *mut c_char, length: c_uint) -> Code {
    answer("nvmlSystemGetDriverVersion", None, |world| put_text(version, length as usize, &world.driver))
}

/// `nvmlSystemGetNVMLVersion`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlSystemGetNVMLVersion(version: *mut c_char, length: c_uint) -> Code {
    answer("nvmlSystemGetNVMLVersion", None, |world| put_text(version, length as usize, &world.nvml))
}

/// `nvmlSystemGetCudaDriverVersion_v2`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlSystemGetCudaDriverVersion_v2(version: *mut c_int) -> Code {
    answer("nvmlSystemGetCudaDriverVersion_v2", None, |world| put(version, world.cuda))
}

/// `nvmlSystemGetCudaDriverVersion`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlSystemGetCudaDriverVersion(version: *mut c_int) -> Code {
    answer("nvmlSystemGetCudaDriverVersion", None, |world| put(version, world.cuda))
}

/// `nvmlDeviceGetCount_v2`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetCount_v2(count: *mut c_uint) -> Code {
    answer("nvmlDeviceGetCount_v2", None, |world| put(count, world.count()))
}

/// `nvmlDeviceGetHandleByIndex_v2`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetHandleByIndex_v2(index: c_uint, device: *mut Handle) -> Code {
    let at = index as usize;
    answer("nvmlDeviceGetHandleByIndex_v2", Some(at), |world| {
        let known = world.device.get_mut(at).ok_or(INVALID_ARGUMENT)?;
        known.readings += 1;
        put(device, handle(at, None))
    })
}

/// `nvmlDeviceGetName`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetName(device: Handle, name: *mut c_char, length: c_uint) -> Code {
    of_device("nvmlDeviceGetName", device, |device, instance| {
        let text = instance.map_or(&device.name, |i| &i.name);
        put_text(name, length as usize, text)
    })
}

/// `nvmlDeviceGetUUID`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetUUID(device: Handle, uuid: *mut c_char, length: c_uint) -> Code {
    of_device("nvmlDeviceGetUUID", device, |device, instance| {
        let text = instance.map_or(&device.uuid, |i| &i.uuid);
        put_text(uuid, length as usize, text)
    })
}

/// `nvmlPciInfo_t`.
#[repr(C)]
pub struct PciInfo {
    legacy: [c_char; 16],
    domain: c_uint,
    bus: c_uint,
    device: c_uint,
    device_id: c_uint,
    subsystem_id: c_uint,
    bus_id: [c_char; 32],
}

/// `nvmlDeviceGetPciInfo_v3`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetPciInfo_v3(device: Handle, pci: *mut PciInfo) -> Code {
    of_device("nvmlDeviceGetPciInfo_v3", device, |device, _| {
        let mut info = PciInfo {
            legacy: [0; 16],
            domain: 0,
            bus: 0,
            device: 0,
            device_id: device.pci_device_id,
            subsystem_id: 0,
            bus_id: [0; 32],
        };
        put_text(info.bus_id.as_mut_ptr(), info.bus_id.len(), &device.pci)?;
        put(pci, info)
    })
}

/// `nvmlMemory_t`.
#[repr(C)]
pub struct Memory {
    total: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

/// `nvmlMemory_v2_t`.
#[repr(C)]
pub struct MemoryV2 {
    version: c_uint,
    total: c_ulonglong,
    reserved: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

/// What the driver keeps for itself.
const RESERVED_MIB: u64 = 300;

/// `nvmlDeviceGetMemoryInfo`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetMemoryInfo(device: Handle, memory: *mut Memory) -> Code {
    of_device("nvmlDeviceGetMemoryInfo", device, |device, instance| {
        let (total, used) = device.memory(instance);
        let used = used.saturating_add(RESERVED_MIB).min(total);
        let bytes = |mib: u64| mib.saturating_mul(MIB);
        put(memory, Memory { total: bytes(total), free: bytes(total - used), used: bytes(used) })
    })
}

/// `nvmlDeviceGetMemoryInfo_v2`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetMemoryInfo_v2(device: Handle, memory: *mut MemoryV2) -> Code {
    of_device("nvmlDeviceGetMemoryInfo_v2", device, |device, instance| {
        if memory.is_null() {
            return Err(INVALID_ARGUMENT);
        }
        // SAFETY: the caller's pointer leads to a structure that begins with its version.
        let version = unsafe { (*memory).version };
        if version as usize != size_of::<MemoryV2>() | (2 << 24) {
            return Err(ARGUMENT_VERSION_MISMATCH);
        }
        let (total, used) = device.memory(instance);
        let bytes = |mib: u64| mib.saturating_mul(MIB);
        let free = total.saturating_sub(used).saturating_sub(RESERVED_MIB);
        let reserved = bytes(RESERVED_MIB);
        put(memory, MemoryV2 { version, total: bytes(total), reserved, free: bytes(free), used: bytes(used) })
    })
}

/// `nvmlDeviceGetCudaComputeCapability`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetCudaComputeCapability(
    device: Handle,
    major: *mut c_int,
    minor: *mut c_int,
) -> Code {
    numbers("nvmlDeviceGetCudaComputeCapability", device, major, minor, |d| Some(d.compute_capability))
}

/// `nvmlDeviceGetDriverModel`: it has no number for MCDM.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetDriverModel(
    device: Handle,
    current: *mut c_uint,
    pending: *mut c_uint,
) -> Code {
    let known = |d: &mut Device| d.driver_model.map(|models| models.map(|m| if m == 2 { 1 } else { m }));
    numbers("nvmlDeviceGetDriverModel", device, current, pending, known)
}

/// `nvmlDeviceGetDriverModel_v2`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetDriverModel_v2(
    device: Handle,
    current: *mut c_uint,
    pending: *mut c_uint,
) -> Code {
    numbers("nvmlDeviceGetDriverModel_v2", device, current, pending, |d| d.driver_model)
}

/// `nvmlDeviceGetMigMode`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetMigMode(device: Handle, current: *mut c_uint, pending: *mut c_uint) -> Code {
    numbers("nvmlDeviceGetMigMode", device, current, pending, |d| d.mig)
}

/// `nvmlDeviceGetMaxMigDeviceCount`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetMaxMigDeviceCount(device: Handle, count: *mut c_uint) -> Code {
    number("nvmlDeviceGetMaxMigDeviceCount", device, count, |d| Some(d.most_instances))
}

/// `nvmlDeviceGetMigDeviceHandleByIndex`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetMigDeviceHandleByIndex(
    device: Handle,
    index: c_uint,
    instance: *mut Handle,
) -> Code {
    let (at, _) = parts(device);
    of_device("nvmlDeviceGetMigDeviceHandleByIndex", device, |device, _| {
        let number = index as usize;
        device.instances.get(number).ok_or(NOT_FOUND)?;
        put(instance, handle(at, Some(number)))
    })
}

/// `nvmlDeviceGetComputeMode`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetComputeMode(device: Handle, mode: *mut c_uint) -> Code {
    number("nvmlDeviceGetComputeMode", device, mode, |d| d.compute_mode)
}

/// `nvmlDeviceGetPersistenceMode`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetPersistenceMode(device: Handle, mode: *mut c_uint) -> Code {
    number("nvmlDeviceGetPersistenceMode", device, mode, |d| d.persistence)
}

/// `nvmlDeviceGetEccMode`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetEccMode(device: Handle, current: *mut c_uint, pending: *mut c_uint) -> Code {
    numbers("nvmlDeviceGetEccMode", device, current, pending, |d| d.ecc)
}

/// `nvmlDeviceGetTotalEccErrors`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetTotalEccErrors(
    device: Handle,
    kind: c_uint,
    counter: c_uint,
    count: *mut c_ulonglong,
) -> Code {
    number("nvmlDeviceGetTotalEccErrors", device, count, |d| {
        let [volatile, aggregate] = d.ecc_uncorrected.filter(|_| kind == 1)?;
        Some(if counter == 0 { volatile } else { aggregate })
    })
}

/// `nvmlDeviceGetTemperature`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetTemperature(device: Handle, _sensor: c_uint, degrees: *mut c_uint) -> Code {
    number("nvmlDeviceGetTemperature", device, degrees, |d| d.now(&d.temperature))
}

/// `nvmlDeviceGetPowerUsage`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetPowerUsage(device: Handle, power: *mut c_uint) -> Code {
    number("nvmlDeviceGetPowerUsage", device, power, |d| d.now(&d.power_mw))
}

/// `nvmlDeviceGetEnforcedPowerLimit`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetEnforcedPowerLimit(device: Handle, limit: *mut c_uint) -> Code {
    number("nvmlDeviceGetEnforcedPowerLimit", device, limit, |d| d.power_limit_mw)
}

/// `nvmlUtilization_t`.
#[repr(C)]
pub struct Utilization {
    gpu: c_uint,
    memory: c_uint,
}

/// `nvmlDeviceGetUtilizationRates`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetUtilizationRates(device: Handle, rates: *mut Utilization) -> Code {
    number("nvmlDeviceGetUtilizationRates", device, rates, |d| {
        d.utilisation.map(|[gpu, memory]| Utilization { gpu, memory })
    })
}

/// `nvmlDeviceGetClockInfo`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetClockInfo(device: Handle, clock: c_uint, mhz: *mut c_uint) -> Code {
    number("nvmlDeviceGetClockInfo", device, mhz, |d| match clock {
        1 => d.clock_sm,
        2 => d.clock_memory,
        _ => None,
    })
}

/// `nvmlDeviceGetCurrentClocksEventReasons`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetCurrentClocksEventReasons(device: Handle, reasons: *mut c_ulonglong) -> Code {
    number("nvmlDeviceGetCurrentClocksEventReasons", device, reasons, |d| d.now(&d.reasons))
}

/// `nvmlDeviceGetCurrentClocksThrottleReasons`.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlDeviceGetCurrentClocksThrottleReasons(
    device: Handle,
    reasons: *mut c_ulonglong,
) -> Code {
    number("nvmlDeviceGetCurrentClocksThrottleReasons", device, reasons, |d| d.now(&d.reasons))
}
