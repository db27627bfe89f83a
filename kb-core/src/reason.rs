//! Reasons: what a rule found, as values. Words come last, in [`mod@crate::answer`].

use crate::evidence::Grade;
use crate::kb::Kb;
use crate::value::Branch;
use crate::version::{
    ComputeCapability, ComputeTarget, CudaVersion, CudnnVersion, Dotted, DriverVersion, PythonVersion,
    VersionSet,
};
use crate::world::{Facts, Interpreters, Libraries, NativeCuda, Requirement};
use compact_str::CompactString;

/// A way of reasoning; each has a page in `rules/` and a file in `rule/`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleId {
    /// A build must hold GPU code at all.
    GpuBuild,
    /// SASS and PTX against the GPU's compute capability.
    DeviceCode,
    /// The driver's branch must know the GPU.
    GpuDriver,
    /// Native, minor-version compatibility, forward-compatibility package.
    DriverPath,
    /// PTX needs a driver at least as new as the toolkit that made it.
    PtxDriver,
    /// cuDNN's code against the GPU.
    CudnnGpu,
    /// cuDNN against the CUDA release.
    CudnnCuda,
    /// The cuDNN in use against the one a build was made with.
    CudnnBuild,
    /// Where a build's CUDA libraries come from.
    Libraries,
    /// Interpreter, ABI, C library.
    BuildPlatform,
    /// Several packages in one environment.
    OneEnvironment,
    /// A combination known to be bad.
    Advisory,
    /// WSL2: the Windows driver, and which GPUs.
    Wsl2,
}

impl RuleId {
    /// All rules, in the order of the chain.
    pub const ALL: [RuleId; 13] = [
        RuleId::GpuBuild,
        RuleId::DeviceCode,
        RuleId::GpuDriver,
        RuleId::DriverPath,
        RuleId::PtxDriver,
        RuleId::CudnnGpu,
        RuleId::CudnnCuda,
        RuleId::CudnnBuild,
        RuleId::Libraries,
        RuleId::BuildPlatform,
        RuleId::OneEnvironment,
        RuleId::Advisory,
        RuleId::Wsl2,
    ];

    /// The id, which is also the name of its page and its file.
    pub fn word(self) -> &'static str {
        match self {
            RuleId::GpuBuild => "gpu-build",
            RuleId::DeviceCode => "device-code",
            RuleId::GpuDriver => "gpu-driver",
            RuleId::DriverPath => "driver-path",
            RuleId::PtxDriver => "ptx-driver",
            RuleId::CudnnGpu => "cudnn-gpu",
            RuleId::CudnnCuda => "cudnn-cuda",
            RuleId::CudnnBuild => "cudnn-build",
            RuleId::Libraries => "libraries",
            RuleId::BuildPlatform => "build-platform",
            RuleId::OneEnvironment => "one-environment",
            RuleId::Advisory => "advisory",
            RuleId::Wsl2 => "wsl2",
        }
    }
}

/// What became of one link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It holds.
    Pass,
    /// No fact decides.
    Unknown,
    /// It does not hold.
    Fail,
}

/// One evaluated link of the chain.
#[derive(Debug)]
pub struct Edge<'w> {
    /// The rule that was applied.
    pub rule: RuleId,
    /// What became of it.
    pub outcome: Outcome,
    /// The values that decided.
    pub reason: Reason<'w>,
    /// The facts it stands on.
    pub facts: Facts,
}

impl Edge<'_> {
    /// As sure as its weakest fact; a link without facts says only what was asked.
    pub fn grade(&self, kb: &Kb) -> Option<Grade> {
        self.facts.iter().map(|f| kb.grade(*f)).max()
    }
}

/// The values behind an outcome. Each variant has a sentence in `words/`.
#[derive(PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields are the places of the sentence of the same name")]
pub enum Reason<'w> {
    // gpu-build
    CpuBuildExtra {
        platform: Option<crate::platform::Platform>,
        with: String,
    },
    CpuBuildElsewhere {
        platform: Option<crate::platform::Platform>,
        channel: &'w str,
    },
    CpuBuildSince {
        platform: Option<crate::platform::Platform>,
        last: &'w str,
    },
    CpuBuild {
        platform: Option<crate::platform::Platform>,
    },
    RocmBuild,
    CpuIsEnough,
    // device-code
    RunsSass {
        gpu: &'w str,
        capability: ComputeCapability,
        by: ComputeTarget,
    },
    RunsPtx {
        gpu: &'w str,
        capability: ComputeCapability,
        by: ComputeTarget,
        sass: &'w [ComputeTarget],
    },
    RunsCompiled {
        gpu: &'w str,
        capability: ComputeCapability,
        cuda: Option<CudaVersion>,
    },
    RunsDocumented {
        gpu: &'w str,
        capability: ComputeCapability,
        range: &'w VersionSet,
    },
    NoCode {
        gpu: &'w str,
        capability: ComputeCapability,
        sass: &'w [ComputeTarget],
        ptx: &'w [ComputeTarget],
    },
    NotDocumented {
        gpu: &'w str,
        capability: ComputeCapability,
        range: &'w VersionSet,
    },
    CannotCompile {
        gpu: &'w str,
        capability: ComputeCapability,
        cuda: CudaVersion,
    },
    ToolkitCannotTarget {
        gpu: &'w str,
        capability: ComputeCapability,
        cuda: CudaVersion,
        last: Option<CudaVersion>,
    },
    ToolkitCannot {
        gpu: &'w str,
        capability: ComputeCapability,
        cuda: CudaVersion,
        least: Option<ComputeTarget>,
    },
    CodeUnknown {
        gpu: &'w str,
        capability: ComputeCapability,
    },
    PtxUnknown {
        gpu: &'w str,
        capability: ComputeCapability,
        sass: &'w [ComputeTarget],
    },
    // gpu-driver
    BranchKnowsGpu {
        gpu: &'w str,
        driver: DriverVersion,
        branch: Branch,
    },
    BranchTooOld {
        gpu: &'w str,
        driver: DriverVersion,
        branch: Branch,
        first: Branch,
    },
    BranchTooNew {
        gpu: &'w str,
        driver: DriverVersion,
        branch: Branch,
        last: Branch,
    },
    BoardNotListed {
        gpu: &'w str,
        driver: DriverVersion,
        branch: Branch,
        since: Option<DriverVersion>,
        elsewhere: Option<Branch>,
    },
    BranchUnknown {
        gpu: &'w str,
        driver: DriverVersion,
    },
    NeedsBranch {
        gpu: &'w str,
        first: Option<Branch>,
        last: Option<Branch>,
    },
    NoBranchLeft {
        gpu: &'w str,
        last: Branch,
        cuda: CudaVersion,
        floor: DriverVersion,
    },
    RangeUnknown {
        gpu: &'w str,
        driver: DriverVersion,
    },
    // driver-path
    NeedsDriver {
        cuda: CudaVersion,
        floor: DriverVersion,
    },
    DriverNative {
        cuda: CudaVersion,
        driver: DriverVersion,
        level: NativeCuda,
    },
    DriverMinor {
        cuda: CudaVersion,
        driver: DriverVersion,
        floor: DriverVersion,
        level: Option<NativeCuda>,
    },
    DriverForward {
        cuda: CudaVersion,
        driver: DriverVersion,
        floor: DriverVersion,
        package: &'w str,
        branch: Branch,
    },
    DriverBelow {
        cuda: CudaVersion,
        driver: DriverVersion,
        floor: DriverVersion,
    },
    ForwardUndecided {
        cuda: CudaVersion,
        driver: DriverVersion,
        floor: DriverVersion,
        package: &'w str,
    },
    FloorUnsure {
        cuda: CudaVersion,
        driver: DriverVersion,
        floor: DriverVersion,
    },
    FloorUnknown {
        cuda: CudaVersion,
        os: &'static str,
    },
    CudaUnknown,
    // ptx-driver
    PtxNeedsDriver {
        made: CudaVersion,
        branch: Branch,
        driver: Option<DriverVersion>,
    },
    PtxReadable {
        made: CudaVersion,
        driver: DriverVersion,
        level: NativeCuda,
    },
    PtxForward {
        made: CudaVersion,
        driver: DriverVersion,
        package: &'w str,
    },
    PtxForwardUndecided {
        made: CudaVersion,
        driver: DriverVersion,
        package: &'w str,
    },
    PtxTooNew {
        made: CudaVersion,
        driver: DriverVersion,
        level: CudaVersion,
        branch: Option<Branch>,
    },
    PtxLevelUnknown {
        made: CudaVersion,
        driver: DriverVersion,
    },
    // cudnn-gpu
    CudnnHasCode {
        cudnn: CudnnVersion,
        gpu: &'w str,
        capability: ComputeCapability,
    },
    OwnCudnnUnknown {
        cuda: CudaVersion,
        gpu: &'w str,
        capability: ComputeCapability,
    },
    CudnnNoCode {
        cudnn: CudnnVersion,
        gpu: &'w str,
        capability: ComputeCapability,
        range: &'w VersionSet,
    },
    CudnnNoneFits {
        wanted: String,
        gpu: &'w str,
        capability: ComputeCapability,
        range: Option<&'w VersionSet>,
    },
    CudnnChoose {
        cudnn: CudnnVersion,
        gpu: &'w str,
        capability: ComputeCapability,
    },
    CudnnCodeUnknown {
        cudnn: CudnnVersion,
        gpu: &'w str,
        capability: ComputeCapability,
    },
    // cudnn-cuda
    CudnnListed {
        cudnn: CudnnVersion,
        cuda: CudaVersion,
    },
    CudnnTested {
        cudnn: CudnnVersion,
        cuda: CudaVersion,
    },
    CudnnNoBuild {
        cudnn: CudnnVersion,
        cuda: CudaVersion,
        builds: String,
    },
    CudnnUnlisted {
        cudnn: CudnnVersion,
        cuda: CudaVersion,
        listed: String,
    },
    // cudnn-build
    CudnnFits {
        have: CudnnVersion,
        made: CudnnVersion,
    },
    CudnnOlder {
        have: CudnnVersion,
        made: CudnnVersion,
    },
    CudnnOtherMajor {
        have: CudnnVersion,
        made: CudnnVersion,
    },
    CudnnOutside {
        have: String,
        range: &'w VersionSet,
    },
    CudnnUseUnknown {
        have: String,
    },
    NoCommonBranch {
        gpu: &'w str,
        last: Branch,
        other: &'w str,
        first: Branch,
    },
    NothingRecorded,
    CudnnNotUsed {
        have: String,
        libraries: Libraries,
    },
    // libraries
    BringsLibraries {
        libraries: Libraries,
        cuda: Option<CudaVersion>,
    },
    NeedsSystem {
        cuda: CudaVersion,
        cudnn: Option<CudnnVersion>,
    },
    SystemFits {
        have: CudaVersion,
        made: CudaVersion,
    },
    SystemOtherMajor {
        have: CudaVersion,
        made: CudaVersion,
    },
    SystemOlder {
        have: CudaVersion,
        made: CudaVersion,
    },
    SystemOutside {
        have: CudaVersion,
        range: &'w VersionSet,
    },
    OtherCuda {
        asked: String,
        made: CudaVersion,
    },
    ToolkitNotUsed {
        have: String,
        libraries: Libraries,
    },
    LibrariesUnknown {
        asked: String,
    },
    // build-platform
    PythonFits {
        python: PythonVersion,
    },
    /// Its files are not known, and what else is known says yes.
    PythonDocumented {
        python: PythonVersion,
    },
    PythonNoFile {
        python: PythonVersion,
        package: &'w str,
        tags: &'w [CompactString],
    },
    PythonOutside {
        python: PythonVersion,
        range: &'w VersionSet,
    },
    NoCommonPython {
        /// Who is involved, each with the interpreters that it leaves.
        needed: Vec<(String, Interpreters)>,
    },
    /// Whether one interpreter serves all is not known: it is one about which nobody knows for some of them.
    CommonPythonUnknown,
    PythonUnknown {
        python: PythonVersion,
    },
    /// Only files of the same release on another channel are known.
    PythonElsewhere {
        python: PythonVersion,
        /// What they are for.
        tags: &'w [CompactString],
        /// What is documented and says otherwise; `None` where nothing is and the interpreter is not among the files.
        range: Option<&'w VersionSet>,
    },
    GlibcFits {
        have: Dotted,
        needs: Dotted,
    },
    GlibcTooOld {
        have: Dotted,
        needs: Dotted,
    },
    GlibcUnknown {
        have: Dotted,
    },
    // one-environment
    SameMajor {
        a: String,
        b: String,
        major: u32,
    },
    TwoMajors {
        a: String,
        a_cuda: CudaVersion,
        b: String,
        b_cuda: CudaVersion,
    },
    SameFiles {
        a: String,
        b: String,
        files: String,
    },
    OtherLabel {
        a: String,
        b: String,
        label: String,
    },
    SameModule {
        a: String,
        b: String,
        module: &'w str,
    },
    PinsMeet {
        package: String,
    },
    PinsApart {
        package: String,
        a: String,
        a_wants: String,
        b: String,
        b_wants: String,
    },
    PinFits {
        by: String,
        wants: String,
        have: String,
    },
    PinBroken {
        by: String,
        wants: String,
        have: String,
    },
    PinsUnknown {
        a: String,
    },
    RequirementsKnown {
        requirement: Requirement,
    },
    // advisory, wsl2
    Advisory {
        index: usize,
        version: String,
    },
    WslNotSupported {
        gpu: &'w str,
        architecture: &'w str,
        from: &'w str,
    },
    WslFits {
        gpu: &'w str,
    },
    // no candidate at all
    NoBuild {
        what: String,
        platform: String,
        others: String,
    },
    OnlyWithheld {
        what: String,
        releases: String,
    },
    NotInChannel {
        what: String,
        channel: String,
        others: String,
    },
}
