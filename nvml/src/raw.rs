//! The C functions, one method each. All `unsafe` of the crate is here.
//!
//! What makes the calls sound: every pointer leads to a local of the type in the signature that lives until the call is
//! over; every length is that of the buffer; a handle is given back only to the library it came from. What the library
//! writes is then plain data: integers, and bytes that are searched for their end within the buffer. That the file that
//! was loaded is a management library can only be trusted, as with every library.

#![allow(unsafe_code)]

use crate::codes::Wrong;
use nvml_wrapper_sys::bindings::{
    NvmlLib, nvmlClockType_enum_NVML_CLOCK_MEM, nvmlClockType_enum_NVML_CLOCK_SM, nvmlDevice_t, nvmlMemory_t,
    nvmlMemory_v2_t, nvmlPciInfo_t, nvmlReturn_t, nvmlUtilization_t,
};
use std::ffi::{OsStr, c_char, c_uint};
use std::mem::ManuallyDrop;

/// What a call gives.
pub(crate) type Answer<T> = Result<T, Wrong>;

/// A buffer longer than any text of NVML, which the documentation bounds by 96 bytes.
const TEXT: usize = 256;

/// The library, loaded. It stays loaded to the end of the program: unloading gains nothing, and a call may hang in it.
pub(crate) struct Library(ManuallyDrop<NvmlLib>);

/// A device or an instance, of the library it came from.
#[derive(Clone, Copy)]
pub(crate) struct Handle(nvmlDevice_t);

/// Memory in bytes.
pub(crate) struct Memory {
    pub(crate) total: u64,
    pub(crate) used: u64,
    pub(crate) free: u64,
}

/// A place on the PCI bus.
pub(crate) struct Pci {
    pub(crate) bus_id: Answer<String>,
    pub(crate) device_id: u32,
}

/// Calls a function if the library has it.
macro_rules! call {
    ($library:expr, $name:ident $(, $argument:expr)*) => {
        match $library.0.$name.as_ref() {
            // SAFETY: see the head of this file.
            Ok(function) => checked(unsafe { function($($argument),*) }),
            Err(_) => Err(Wrong::Missing),
        }
    };
}

fn checked(code: nvmlReturn_t) -> Answer<()> {
    if code == 0 { Ok(()) } else { Err(Wrong::Code(code)) }
}

/// The text in a buffer, up to its end or the buffer's.
fn text(bytes: &[c_char]) -> Answer<String> {
    // The sign of a C character differs between processors; only its bits count.
    let bytes: Vec<u8> = bytes.iter().map(|c| c.to_ne_bytes()[0]).take_while(|b| *b != 0).collect();
    String::from_utf8(bytes).map_err(|_| Wrong::NotText)
}

/// Asks for one number.
macro_rules! number {
    ($library:expr, $name:ident, $type:ty $(, $argument:expr)*) => {{
        let mut value: $type = 0;
        call!($library, $name $(, $argument)*, &mut value).map(|()| value)
    }};
}

/// Asks for two numbers.
macro_rules! pair {
    ($library:expr, $name:ident, $handle:expr, $type:ty) => {{
        let (mut first, mut second): ($type, $type) = (0, 0);
        call!($library, $name, $handle.0, &mut first, &mut second).map(|()| (first, second))
    }};
}

impl Library {
    /// Loads a library by name or path.
    ///
    /// # Errors
    /// `library-not-found` or `library-not-loadable`, and what the loader says.
    pub(crate) fn load(path: &OsStr) -> Result<Self, (&'static str, String)> {
        // A pipe would keep the loader, and with it the end of the program, waiting for ever.
        let there = std::path::Path::new(path);
        if there.components().count() > 1 && there.exists() && !there.is_file() {
            return Err(("library-not-loadable", "this is no regular file".to_owned()));
        }
        // SAFETY: a library runs code when it is loaded; this one is NVIDIA's, or one that the user named.
        match unsafe { NvmlLib::new(path) } {
            Ok(library) => Ok(Library(ManuallyDrop::new(library))),
            Err(error) => {
                let says =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                Err((if absent(path, &says) { "library-not-found" } else { "library-not-loadable" }, says))
            }
        }
    }

    pub(crate) fn init(&self) -> Answer<()> {
        call!(self, nvmlInit_v2)
    }

    pub(crate) fn shutdown(&self) -> Answer<()> {
        call!(self, nvmlShutdown)
    }

    pub(crate) fn driver_version(&self) -> Answer<String> {
        let mut buffer: [c_char; TEXT] = [0; TEXT];
        call!(self, nvmlSystemGetDriverVersion, buffer.as_mut_ptr(), length())?;
        text(&buffer)
    }

    pub(crate) fn nvml_version(&self) -> Answer<String> {
        let mut buffer: [c_char; TEXT] = [0; TEXT];
        call!(self, nvmlSystemGetNVMLVersion, buffer.as_mut_ptr(), length())?;
        text(&buffer)
    }

    /// The installed driver's, asked of libcuda.
    pub(crate) fn cuda_version(&self) -> Answer<i32> {
        number!(self, nvmlSystemGetCudaDriverVersion_v2, i32)
    }

    /// The library's own, for libraries before R418.
    pub(crate) fn cuda_version_v1(&self) -> Answer<i32> {
        number!(self, nvmlSystemGetCudaDriverVersion, i32)
    }

    pub(crate) fn count(&self) -> Answer<u32> {
        number!(self, nvmlDeviceGetCount_v2, c_uint)
    }

    pub(crate) fn device(&self, index: u32) -> Answer<Handle> {
        let mut handle: nvmlDevice_t = std::ptr::null_mut();
        call!(self, nvmlDeviceGetHandleByIndex_v2, index, &mut handle)?;
        // A handle to nothing is given to no function.
        if handle.is_null() { Err(Wrong::NoValue) } else { Ok(Handle(handle)) }
    }

    pub(crate) fn name(&self, device: Handle) -> Answer<String> {
        let mut buffer: [c_char; TEXT] = [0; TEXT];
        call!(self, nvmlDeviceGetName, device.0, buffer.as_mut_ptr(), length())?;
        text(&buffer)
    }

    pub(crate) fn uuid(&self, device: Handle) -> Answer<String> {
        let mut buffer: [c_char; TEXT] = [0; TEXT];
        call!(self, nvmlDeviceGetUUID, device.0, buffer.as_mut_ptr(), length())?;
        text(&buffer)
    }

    pub(crate) fn pci(&self, device: Handle) -> Answer<Pci> {
        let mut info = nvmlPciInfo_t {
            busIdLegacy: [0; 16],
            domain: 0,
            bus: 0,
            device: 0,
            pciDeviceId: 0,
            pciSubSystemId: 0,
            busId: [0; 32],
        };
        call!(self, nvmlDeviceGetPciInfo_v3, device.0, &mut info)?;
        Ok(Pci { bus_id: text(&info.busId), device_id: info.pciDeviceId })
    }

    pub(crate) fn memory(&self, device: Handle) -> Answer<Memory> {
        // The structure says which form of it this is: its size and, in the upper byte, its version.
        let version = u32::try_from(size_of::<nvmlMemory_v2_t>()).unwrap_or(0) | 2 << 24;
        let mut info = nvmlMemory_v2_t { version, total: 0, reserved: 0, free: 0, used: 0 };
        call!(self, nvmlDeviceGetMemoryInfo_v2, device.0, &mut info)?;
        Ok(Memory { total: info.total, used: info.used, free: info.free })
    }

    /// For libraries before R510: what the driver reserves is counted as used.
    pub(crate) fn memory_v1(&self, device: Handle) -> Answer<Memory> {
        let mut info = nvmlMemory_t { total: 0, free: 0, used: 0 };
        call!(self, nvmlDeviceGetMemoryInfo, device.0, &mut info)?;
        Ok(Memory { total: info.total, used: info.used, free: info.free })
    }

    pub(crate) fn compute_capability(&self, device: Handle) -> Answer<(i32, i32)> {
        pair!(self, nvmlDeviceGetCudaComputeCapability, device, i32)
    }

    pub(crate) fn driver_model(&self, device: Handle) -> Answer<(u32, u32)> {
        pair!(self, nvmlDeviceGetDriverModel_v2, device, _)
    }

    /// Has no number for MCDM.
    pub(crate) fn driver_model_v1(&self, device: Handle) -> Answer<(u32, u32)> {
        pair!(self, nvmlDeviceGetDriverModel, device, _)
    }

    pub(crate) fn mig_mode(&self, device: Handle) -> Answer<(u32, u32)> {
        pair!(self, nvmlDeviceGetMigMode, device, c_uint)
    }

    pub(crate) fn mig_count(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetMaxMigDeviceCount, c_uint, device.0)
    }

    pub(crate) fn mig_instance(&self, device: Handle, index: u32) -> Answer<Handle> {
        let mut handle: nvmlDevice_t = std::ptr::null_mut();
        call!(self, nvmlDeviceGetMigDeviceHandleByIndex, device.0, index, &mut handle)?;
        if handle.is_null() { Err(Wrong::NoValue) } else { Ok(Handle(handle)) }
    }

    pub(crate) fn compute_mode(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetComputeMode, _, device.0)
    }

    pub(crate) fn persistence(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetPersistenceMode, _, device.0)
    }

    pub(crate) fn ecc(&self, device: Handle) -> Answer<(u32, u32)> {
        pair!(self, nvmlDeviceGetEccMode, device, _)
    }

    /// Uncorrected errors: since the driver was loaded, or over the device's life.
    pub(crate) fn ecc_uncorrected(&self, device: Handle, aggregate: bool) -> Answer<u64> {
        number!(self, nvmlDeviceGetTotalEccErrors, u64, device.0, 1, u32::from(aggregate))
    }

    pub(crate) fn temperature(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetTemperature, c_uint, device.0, 0)
    }

    pub(crate) fn power(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetPowerUsage, c_uint, device.0)
    }

    pub(crate) fn power_limit(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetEnforcedPowerLimit, c_uint, device.0)
    }

    pub(crate) fn utilisation(&self, device: Handle) -> Answer<(u32, u32)> {
        let mut rates = nvmlUtilization_t { gpu: 0, memory: 0 };
        call!(self, nvmlDeviceGetUtilizationRates, device.0, &mut rates)?;
        Ok((rates.gpu, rates.memory))
    }

    pub(crate) fn clock_sm(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetClockInfo, c_uint, device.0, nvmlClockType_enum_NVML_CLOCK_SM)
    }

    pub(crate) fn clock_memory(&self, device: Handle) -> Answer<u32> {
        number!(self, nvmlDeviceGetClockInfo, c_uint, device.0, nvmlClockType_enum_NVML_CLOCK_MEM)
    }

    pub(crate) fn clock_reasons(&self, device: Handle) -> Answer<u64> {
        number!(self, nvmlDeviceGetCurrentClocksEventReasons, u64, device.0)
    }

    /// The name of the same before R535.
    pub(crate) fn clock_reasons_v1(&self, device: Handle) -> Answer<u64> {
        number!(self, nvmlDeviceGetCurrentClocksThrottleReasons, u64, device.0)
    }
}

/// The length of a buffer for text; one byte is kept back, so that there is always an end.
fn length() -> c_uint {
    c_uint::try_from(TEXT - 1).unwrap_or(0)
}

/// Is the library not there, rather than refused? A library that *it* needs and that is not there is another matter.
fn absent(path: &OsStr, says: &str) -> bool {
    let file = std::path::Path::new(path);
    if file.components().count() > 1 {
        return !file.exists();
    }
    says.contains(&*path.to_string_lossy()) && says.to_ascii_lowercase().contains("no such file")
}
