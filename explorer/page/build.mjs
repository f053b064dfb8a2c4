// Build the page: one HTML file in which Python replaces `{{data}}` by the data, and the licences of what is in it.
//
//     node build.mjs [FOLDER]
//
// The same sources give the same bytes. The build fails if something with an unknown licence gets into the page.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "synth_explorer");
const KNOWN = new Set(["MIT"]);

const made = await build({
  entryPoints: [join(here, "src/main.tsx"), join(here, "src/style.css")],
  absWorkingDir: here,
  outdir: "out",
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "esm",
  target: ["chrome117", "firefox115", "safari17"],
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "ascii",
  legalComments: "none",
});
const text = (ending) => made.outputFiles.find((file) => file.path.endsWith(ending)).text.trimEnd();
// In HTML, these two texts would end the script or change how its end is found.
const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = text(".css");

const hash = (content) => `'sha256-${createHash("sha256").update(content, "utf8").digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const used = new Set(["@dagrejs/graphlib"]); // in the bundle that dagre publishes
for (const input of Object.keys(made.metafile.inputs)) {
  const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) used.add(found[1]);
}
if (!used.has("@dagrejs/dagre")) used.delete("@dagrejs/graphlib");
const licences = [...used].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!KNOWN.has(license)) throw new Error(`${name}: found the licence ${license}, expected one of ${[...KNOWN]}`);
  return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
});
const all = licences.join("\n----\n\n");

const escaped = (content) => content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const parts = { policy, style, licences: escaped(all.trimEnd()), script };
const page = readFileSync(join(here, "src/page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (whole, name) => parts[name] ?? whole);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "page.html"), page);
writeFileSync(join(out, "THIRD_PARTY_LICENSES.txt"), all);
