// Opens the pages that answer in the browser, as a reader does: node test.mjs SITE [BASE-PATH]
// SITE is what `kb site build SITE --modules DIR [--base-path BASE-PATH]` wrote. Needs a Chromium: CHROMIUM, or
// /usr/bin/chromium.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const [site, base = "/"] = process.argv.slice(2);
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };
const asked = [];
const server = createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
  asked.push(request.url);
  const inner = normalize(`/${path.slice(base.length)}`);
  const file = join(site, inner.endsWith("/") ? `${inner}index.html` : inner);
  try {
    if (!path.startsWith(base)) throw new Error("outside");
    const bytes = await readFile(file);
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const at = `http://127.0.0.1:${server.address().port}${base}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

let number = 0;
async function check(name, options, use) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  const start = performance.now();
  await use(page, wrong);
  assert.deepEqual(wrong, [], name);
  await context.close();
  number += 1;
  console.log(`${name}: ${Math.round(performance.now() - start)} ms`);
}
const headline = (page) => page.locator(".answer > [role=status].fits, .answer > [role=status].conflict, .answer > [role=status].unknown");
const text = async (page) => {
  await headline(page).waitFor({ timeout: 20_000 });
  return page.locator(".answer").innerText();
};

await check("solve: filled in, answered, in the address, and the same from the address", {}, async (page) => {
  await page.goto(`${at}solve/`);
  await page.getByLabel("GPU").first().fill("GeForce RTX 3090");
  await page.locator("[name=os]").selectOption("linux");
  await page.locator("[name=driver]").fill("535.104.05");
  await page.locator("[name=python]").fill("3.11");
  await page.locator("[name=want][value=torch]").check();
  await page.locator("form.ask button").first().click();
  const first = await text(page);
  assert.match(first, /torch [0-9.]+\S* fits/);
  assert.match(first, /pip install torch==/);
  assert.match(first, /535\.104\.05/);
  const address = page.url();
  assert.equal(new URL(address).search, "?gpu=GeForce+RTX+3090&os=linux&driver=535.104.05&python=3.11&want=torch");
  await page.locator("[name=link]").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await page.locator(".answer .copy button").first().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^pip install torch==/);
  await page.goto(address);
  assert.equal(await text(page), first);
  assert.equal(page.url(), address);
  for (const link of await page.locator(".answer a").evaluateAll((all) => all.map((a) => a.href))) {
    assert.equal((await page.request.get(link)).status(), 200, link);
  }
  await page.locator(".tongue a").click();
  const chinese = await text(page);
  assert.match(chinese, /适用/);
  assert.match(page.url(), /\/zh\/solve\/\?gpu=/);
});

await check("solve: several packages, none, and a GPU that nobody knows", {}, async (page) => {
  await page.goto(`${at}solve/?gpu=rtx3090&want=torch&want=vllm`);
  await text(page);
  assert.equal(await page.locator("[name=more]").inputValue(), "vllm");
  await page.goto(`${at}solve/?gpu=rtx3090`);
  assert.match(await text(page), /tensorflow/);
  await page.goto(`${at}solve/?gpu=rtx+9999&want=torch`);
  assert.match(await text(page), /rtx 9999[\s\S]*rtx-3090/);
});

await check("solve: with the keyboard alone", {}, async (page) => {
  await page.goto(`${at}solve/`);
  await page.locator("[name=gpu]").focus();
  await page.keyboard.type("rtx3090");
  for (let i = 0; i < 4; i += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  assert.match(await text(page), /fits/);
  assert.equal(await page.locator(".answer [role=status]").getAttribute("role"), "status");
});

await check("check: what breaks, and the smallest changes", {}, async (page) => {
  await page.goto(`${at}check/?more=torch%3D%3D2.9.1&gpu=gtx1080&os=linux&driver=470`);
  const told = await text(page);
  assert.match(told, /torch==2\.9\.1 does not fit/);
  assert.match(told, /compute capability 6\.1/);
  assert.match(told, /use torch 2\.7\.1\+cu118/);
  assert.match(told, /pip install torch==2\.7\.1\+cu118/);
});

const LOG = `$ python train.py
| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2     |
RuntimeError: CUDA error: no kernel image is available for execution on the device <img src=x onerror=alert(1)>`;
for (const [prefix, more] of [["", "What to do"], ["zh/", "."]]) {
  await check(`diagnose /${prefix}: causes, lines, steps, links, and nothing sent`, {}, async (page) => {
    await page.goto(`${at}${prefix}diagnose/`);
    asked.length = 0;
    await page.locator("textarea").fill(LOG);
    await page.keyboard.press("Control+Enter");
    const told = await text(page);
    assert.ok(asked.length > 0 && asked.every((url) => /\/static\/engine\/[a-z]+\.(wasm|bin)\?[0-9a-f]+$/.test(url)), String(asked));
    assert.match(told, new RegExp(more));
    assert.match(told, /no kernel image is available/);
    assert.match(told, /535\.104\.05/);
    assert.equal(await page.locator(".answer img").count(), 0);
    const links = await page.locator(".answer a").evaluateAll((all) => all.map((a) => a.href));
    assert.ok(links.some((link) => link.includes("/causes/")) && links.some((link) => link.includes("/errors/")));
    for (const link of links) assert.equal((await page.request.get(link)).status(), 200, link);
    await page.locator("textarea").fill("hello\nworld");
    await page.locator("form.ask button").click();
    await page.locator(".answer > .unknown").waitFor();
  });
}

await check("without JavaScript: no form, and links that lead on", { javaScriptEnabled: false }, async (page) => {
  for (const path of ["solve/", "check/", "diagnose/", "zh/solve/"]) {
    await page.goto(`${at}${path}`);
    assert.equal(await page.locator("form.ask").isVisible(), false, path);
    assert.ok((await page.locator("#pages + ul a").count()) >= 2, path);
  }
});

await check("an engine that is not there is told in words", {}, async (page, wrong) => {
  await page.route("**/engine.wasm*", (route) => route.fulfill({ status: 404 }));
  await page.goto(`${at}solve/?gpu=rtx3090&want=torch`);
  assert.match(await text(page), /engine\.wasm: 404/);
  wrong.length = 0;
  await page.unroute("**/engine.wasm*");
  await page.locator("form.ask button").first().click();
  await page.locator(".answer > .fits").waitFor({ timeout: 20_000 });
});

await check("on a narrow screen nothing is wider than it", { viewport: { width: 360, height: 740 } }, async (page) => {
  for (const path of ["solve/?gpu=rtx3090&os=linux&driver=535.104.05&want=torch&want=tensorflow", "zh/check/?more=torch%3D%3D2.9.1&gpu=gtx1080&driver=470", "diagnose/"]) {
    await page.goto(`${at}${path}`);
    if (path.startsWith("diagnose")) {
      await page.locator("textarea").fill(LOG);
      await page.locator("form.ask button").click();
    }
    await text(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${path.split("/?")[0].replaceAll("/", "-")}.png`), fullPage: true });
  }
});

const found = async (page, typed) => {
  await page.fill("#q", typed);
  await page.waitForFunction(() => document.querySelectorAll("#found li").length > 0, null, { timeout: 20_000 });
  await page.waitForTimeout(300);
  return page.locator("#found li a").evaluateAll((all) => all.map((a) => new URL(a.href).pathname));
};

await check("search: with the keyboard alone; names, errors, typing errors, versions", {}, async (page) => {
  await page.goto(at);
  asked.length = 0;
  await page.keyboard.press("/");
  assert.equal((await found(page, "rtx3090"))[0], `${base}gpu/rtx-3090/`);
  assert.ok(asked.every((url) => /\/(search|static)\//.test(url)), String(asked));
  assert.equal((await found(page, "CUDNN_STATUS_NOT_INITIALIZED"))[0], `${base}errors/cudnn-not-initialized/`);
  assert.equal((await found(page, "xofrmers"))[0], `${base}package/xformers/`);
  assert.equal((await found(page, "12.4"))[0], `${base}cuda/12.4/`);
  assert.equal((await found(page, "driver 535"))[0], `${base}driver/r535/`);
  await page.fill("#q", "");
  await found(page, "rtx 5090");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${at}gpu/rtx-5090/`);
});

await check("search in Chinese", {}, async (page) => {
  await page.goto(`${at}zh/`);
  await page.locator("#q").focus();
  const hits = await found(page, "找不到指定的模块");
  assert.equal(hits[0], `${base}zh/errors/win-126-module-not-found/`);
});

const PAGES = ["", "gpu/rtx-3090/", "gpu/", "errors/torch-oom/", "causes/driver-too-old/", "package/torch/", "package/torch/2.5.1/", "cuda/12.4/", "driver/r535/", "matrix/", "myths/", "tables/cuda-minimum-driver/", "solve/", "diagnose/"];
const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["light", 360]]) {
  await check(`accessible: ${colorScheme}, ${width} px`, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true }, async (page) => {
    for (const path of [...PAGES, ...PAGES.map((path) => `zh/${path}`)]) {
      await page.goto(`${at}${path}`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
      assert.deepEqual(violations.map((v) => `${path}: ${v.id}: ${v.nodes[0].html}`), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
    }
  });
}

await browser.close();
server.close();
console.log(`${number} pages of checks hold`);
