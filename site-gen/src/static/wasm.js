// A module without glue, as bindings/wasm describes it: blocks of bytes go in, texts come out.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Starts a module from its bytes: its functions, `give` for what they get (bytes or a text), `told` for what they say. */
export async function start(code) {
  // Not from the stream: hosts that do not know the type of the file would break it.
  const kb = (await WebAssembly.instantiate(code)).instance.exports;
  const give = (given) => {
    const bytes = typeof given === "string" ? encoder.encode(given) : given;
    const at = kb.alloc(bytes.length);
    new Uint8Array(kb.memory.buffer, at, bytes.length).set(bytes);
    return at;
  };
  const told = (at) => {
    const out = JSON.parse(decoder.decode(new Uint8Array(kb.memory.buffer, at, kb.length())));
    if (out.error) throw new Error(out.error);
    return out;
  };
  return { kb, give, told };
}
