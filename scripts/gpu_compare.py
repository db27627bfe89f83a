"""Compares what `kb probe --json` saw with what `nvidia-smi -q -x` says.

gpu_compare.py PROBE.json SMI.xml COMPUTE.csv

Ends with 1 if a value differs, or kb lacks one that nvidia-smi has.
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree

# How the values of nvidia-smi are written, in the form of observations.
def plain(text):
    return text


def mib(text):
    return text.removesuffix(" MiB")


def watts(text):
    return f"{float(text.removesuffix(' W')):.3f}".rstrip("0").rstrip(".")


def words(text):
    return text.lower().replace("_", "-").replace(" ", "-")


def vendor_first(text):
    digits = text.lower().removeprefix("0x")
    return f"{digits[4:]}:{digits[:4]}"


# The observation, the elements that have it (newer drivers first), the form.
OF_GPU = [
    ("gpu", ["product_name"], plain),
    ("pci-id", ["pci/pci_device_id"], vendor_first),
    ("memory-mib", ["fb_memory_usage/total"], mib),
    ("driver-model", ["driver_model/current_dm"], plain),
    ("mig", ["mig_mode/current_mig"], plain),
    ("ecc", ["ecc_mode/current_ecc"], plain),
    ("persistence", ["persistence_mode"], plain),
    (
        "power-limit",
        ["power_readings/enforced_power_limit", "gpu_power_readings/current_power_limit", "power_readings/power_limit"],
        watts,
    ),
    ("compute-mode", ["compute_mode"], words),
]

# What is no value: the GPU has no such setting, or it cannot be told.
NONE = {"", "N/A", "None", "Not Supported", "Unknown Error", "ERR!"}


def text_of(element, paths):
    for path in paths:
        text = (element.findtext(path) or "").strip()
        if text.strip("[]") not in NONE:
            return text
    return None


def address(text):
    """One form of an address on the bus: that of the kernel."""
    domain, _, rest = text.strip().lower().partition(":")
    return f"{domain[-4:] if domain.startswith('0000') else domain}:{rest}"


def said(log, compute):
    """What nvidia-smi says: (place or None, observation) and its value."""
    out = {}
    for what, path in [("driver", "driver_version"), ("cuda-driver-level", "cuda_version"), ("gpu-count", "attached_gpus")]:
        text = text_of(log, [path])
        if text is not None:
            out[None, what] = text
    capabilities = {}
    for line in compute.splitlines():
        bus, _, capability = (part.strip() for part in line.partition(","))
        if ":" in bus and capability.strip("[]") not in NONE:
            capabilities[address(bus)] = capability
    for gpu in log.iter("gpu"):
        place = address(gpu.get("id") or gpu.findtext("pci/pci_bus_id") or "")
        for what, paths, form in OF_GPU:
            text = text_of(gpu, paths)
            if text is not None:
                out[place, what] = form(text)
        if place in capabilities:
            out[place, "compute-capability"] = capabilities[place]
        instances = len(gpu.findall("mig_devices/mig_device"))
        if instances:
            out[place, "mig instances"] = str(instances)
    return out


def seen(probe, places):
    """What kb saw of the same: (place or None, observation), and the values with their methods."""
    out = collections.defaultdict(list)
    instances = collections.defaultdict(list)
    for o in probe["observations"]:
        what, value, place = o["what"], o["value"], o.get("place")
        if what in ("driver", "cuda-driver-level", "gpu-count"):
            out[None, what].append((value, o["method"]))
        elif place in places:
            if what == "mig" and value not in ("Enabled", "Disabled"):
                # Equal instances are one observation: kb says which profiles there are.
                instances[place].append(value)
            else:
                out[place, what].append((value, o["method"]))
    return out, instances


def main(probe, smi, compute):
    probe = json.loads(pathlib.Path(probe).read_text(encoding="utf-8"))
    log = xml.etree.ElementTree.parse(smi).getroot()
    theirs = said(log, pathlib.Path(compute).read_text(encoding="utf-8"))
    places = {place for place, _ in theirs if place}
    ours, instances = seen(probe, places)
    rows = []
    for (place, what), value in theirs.items():
        name = place or "machine"
        if what == "mig instances":
            # Only whether there are any can be compared.
            known = ", ".join(instances[place])
            rows.append((name, what, known or "-", value, "same" if known else "missing"))
            continue
        values = ours.get((place, what))
        if not values:
            rows.append((name, what, "-", value, "missing"))
        for own, method in values or []:
            rows.append((name, what, f"{own} ({method})", value, "same" if own == value else "different"))
    told = {what for what, _, _ in OF_GPU} | {"compute-capability"}
    for (place, what), values in ours.items():
        if (place, what) not in theirs and (place is None or what in told):
            rows.extend((place or "machine", what, f"{own} ({method})", "-", "not told") for own, method in values)
    head = ("of", "what", "kb", "nvidia-smi", "")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(4)]
    for row in [head, *rows]:
        print("  ".join([*(text.ljust(width) for text, width in zip(row, widths)), row[4]]).rstrip())
    counts = collections.Counter(row[4] for row in rows)
    print()
    print(", ".join(f"{counts[kind]} {kind}" for kind in ("same", "different", "missing", "not told")))
    for failure in probe["failures"]:
        if failure["method"] in ("nvml", "nvidia-smi", "libcuda"):
            print(f"kb could not see {failure['what']} ({failure['method']}): {failure['says']}")
    # A machine about which nothing was said was not compared.
    return 1 if counts["different"] or counts["missing"] or not places else 0


sys.exit(main(*sys.argv[1:]))
