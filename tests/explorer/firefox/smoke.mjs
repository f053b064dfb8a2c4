// Use the page of two corpora in Firefox, without a window, over WebDriver BiDi.
//
//     node smoke.mjs FIREFOX ADDRESS MUTEX    does what a reader does, and prints a line of JSON with what it has seen
//
// It fails if the page writes an error to the console, or asks for anything but its own file. The test judges the rest.

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const [firefox, address, mutex] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: firefox,
  headless: true,
  defaultViewport: { width: 1280, height: 800 },
  // Without this, Firefox asks the user before a page reads the clipboard.
  extraPrefsFirefox: { "dom.events.testing.asyncClipboard": true },
  protocolTimeout: 0,
});
try {
  console.log(JSON.stringify(await seen()));
} finally {
  await browser.close();
}

async function seen() {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  const faults = [];
  // Firefox itself loads a small font, which is part of it.
  const isExpected = (url) => url.split("#")[0] === address || url.startsWith("data:font/woff2;");
  const listen = (one) => {
    one.on("console", (said) => ["error", "warn"].includes(said.type()) && faults.push(said.text()));
    one.on("pageerror", (error) => faults.push(String(error)));
    one.on("request", (asked) => isExpected(asked.url()) || faults.push(asked.url()));
  };
  listen(page);

  const text = (where) => page.$eval(where, (element) => element.textContent);
  /** Wait until a part of the page has a text that fits, and return it. */
  const until = async (where, fits) => {
    for (;;) {
      const found = (await page.$(where)) ? await text(where) : "";
      if (fits(found)) return found;
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  /** Return the select or the button with a name, once there is one. */
  const named = async (kind, name) => {
    for (;;) {
      const one = await page.evaluateHandle(
        (kind, name) =>
          [...document.querySelectorAll(kind)].find((element) => {
            const said = element.ariaLabel ?? (element.labels?.[0]?.firstChild ?? element).textContent;
            return said.trim() === name;
          }),
        kind,
        name,
      );
      if (one.asElement()) return one;
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const choose = async (name, value) => (await named("select", name)).select(value);
  const press = async (name) => (await named("button", name)).evaluate((element) => element.click());

  const found = { version: await browser.version() };
  await page.goto(address);
  await page.waitForSelector("[role=grid]");
  found.all = await text(".count");

  await choose("HSA.weak", "pass");
  found.filtered = await until(".count", (said) => said !== found.all);
  await press("Show all tests");
  await until(".count", (said) => said === found.all);
  await choose("Corpora", "only1");
  found.only = await until(".count", (said) => said !== found.all);
  await press("Show all tests");
  await until(".count", (said) => said === found.all);

  await page.type("input[type=search]", mutex);
  await until(".count", (said) => said.startsWith("1 "));
  await page.focus("[role=grid]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#test-name");
  found.id = await text(".test > .id");
  found.focus = await page.evaluate(() => document.activeElement.id);

  await press("HSA.weak: how it hangs");
  await page.waitForSelector("table.lasso");
  found.lasso = await page.$$eval("table.lasso tbody tr", (rows) => rows.length);
  found.steps = [];
  for (let step = 1; step <= found.lasso; step += 1) {
    await page.keyboard.press("n");
    found.steps.push(await until(".state", (said) => said.startsWith(`After ${step} step`)));
  }
  found.drawn = await page.$$eval(".test svg .node", (nodes) => nodes.length);

  await choose("Code for", "wgsl");
  await press("Copy the code");
  found.code = await text("pre.source");
  found.copied = await page.evaluate(async (expected) => {
    for (;;) {
      const copied = await navigator.clipboard.readText();
      if (copied === expected) return copied;
      await new Promise((done) => setTimeout(done, 50));
    }
  }, found.code);

  await press("Playground");
  const play = async (program) => {
    const area = await page.waitForSelector(".play textarea");
    await area.evaluate((element, program) => {
      element.value = program;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, program);
  };
  await play("THREAD 0\n0: if (Mem[0] == 0) goto 0;\n\nTHREAD 1\n0: Mem[0] = 1;");
  found.played = await until(".play .id", (id) => id.includes("-"));
  await press("OBE.weak fail");
  await page.waitForSelector("table.lasso");
  await play(mutex);
  await until(".play .id", (id) => id === mutex);
  await page.click(".play button.link");
  found.followed = await until(".test > .id", (id) => id !== "");
  await page.goBack();
  await page.waitForSelector(".play textarea");

  const linked = await browser.newPage();
  listen(linked);
  await linked.goto(`${address}#test=${mutex}&verdict=HSA.weak`);
  await linked.waitForSelector("table.lasso");
  found.linked = await linked.$eval(".test > .id", (element) => element.textContent);

  assert.deepEqual(faults, []);
  return found;
}
