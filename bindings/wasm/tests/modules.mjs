// What a page does with the modules: node bindings/wasm/tests/modules.mjs DIRECTORY [INDEX]
// DIRECTORY is what scripts/wasm.sh wrote; INDEX a search index, such as `cargo run -p kb-search --example measure` writes.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const [directory, index] = process.argv.slice(2)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

async function open(module) {
  const bytes = readFileSync(`${directory}/${module}.wasm`)
  const { instance } = await WebAssembly.instantiate(bytes)
  const kb = instance.exports
  const give = given => {
    const bytes = typeof given === 'string' ? encoder.encode(given) : given
    const at = kb.alloc(bytes.length)
    new Uint8Array(kb.memory.buffer, at, bytes.length).set(bytes)
    return at
  }
  const told = at => JSON.parse(decoder.decode(new Uint8Array(kb.memory.buffer, at, kb.length())))
  const timed = (what, call) => {
    const start = performance.now()
    const result = call()
    console.log(`${module}: ${what}: ${(performance.now() - start).toFixed(1)} ms`)
    return result
  }
  return { kb, give, told, timed, size: gzipSync(bytes, { level: 9 }).length }
}

if (existsSync(`${directory}/search.wasm`)) {
  const { kb, give, told, timed, size } = await open('search')
  assert.ok(size <= 60_000, `search.wasm is loaded before the first hit: ${size} bytes`)
  assert.match(told(kb.query(give('en\ncuda'), 5)).error, /no index/)
  assert.match(told(kb.load_search(give('<!doctype html>'))).error, /not a search index/)
  assert.match(told(kb.query(12345, 5)).error, /no block/)
  if (index) {
    assert.ok(timed('open', () => told(kb.load_search(give(readFileSync(index))))).documents > 0)
    const { hits } = timed('query', () => told(kb.query(give('en\ncuda'), 5)))
    assert.equal(hits.length, 5)
    assert.deepEqual(Object.keys(hits[0]), ['address', 'title', 'kind', 'language', 'why'])
    assert.deepEqual(timed('typos', () => told(kb.query(give('zh-Hans\ntensrflow'), 1))).hits[0].why, 'similar')
    assert.deepEqual(told(kb.query(give('en\n'), 5)), { hits: [] })
  }
}

for (const module of ['engine', 'diagnose'].filter(m => existsSync(`${directory}/${m}.wasm`))) {
  const { kb, give, told, timed } = await open(module)
  const load = (part, name) => told(kb.load(part, give(readFileSync(`${directory}/${name}.bin`))))
  assert.match(told(kb.ask(give('{}'))).error, /no data/)
  assert.match(told(kb.load(0, give('not a part'))).error, /./)
  assert.deepEqual(timed('core', () => load(0, 'core')), { loaded: 'core' })
  const question = { command: 'solve', wants: ['torch'], gpus: ['rtx3090'], os: 'linux', driver: '535.104.05' }
  const { answer, label } = timed('first answer', () => told(kb.ask(give(JSON.stringify(question)))))
  assert.equal(answer.verdict, 'fits')
  assert.ok(label)
  timed('next answer', () => told(kb.ask(give(JSON.stringify({ ...question, driver: '470.57.02' })))))
  const { mistakes } = told(kb.ask(give(JSON.stringify({ ...question, gpus: ['rtx 9999'] }))))
  assert.equal(mistakes[0].code, 'unknown-gpu')
  assert.match(told(kb.ask(give('{"gpu": 1}'))).error, /unknown field/)
  const { readings } = told(kb.decode(give('en\ntorch-2.5.1+cu124-cp311-cp311-linux_x86_64.whl')))
  assert.equal(readings[0].kind, 'wheel')
  load(1, 'libraries')
  load(2, 'words')
  const said = told(kb.say(give(JSON.stringify({ language: 'zh-Hans', sentences: [['ui-fits', {}]] }))))
  assert.notEqual(said[0], label, 'another language')
  if (module === 'diagnose') {
    load(3, 'diagnosis')
    const log = 'en\nRuntimeError: CUDA error: no kernel image is available for execution on the device'
    const { causes } = timed('a message', () => told(kb.diagnose(give(log))))
    assert.ok(causes.length > 0)
  }
}
console.log('the modules do what a page asks of them')
