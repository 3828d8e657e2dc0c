/** npm run schema:check and schema:record on a folder with releases of its own, from none to the first: what is refused, what is written. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { printSchema } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { carryOut } from "../../scripts/released-schema/carry-out.ts";
import { noRelease, readRelease } from "../../scripts/released-schema/record.ts";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

const schema = printSchema(buildOnejobSchema());

let folder: string;
const record = () => readFileSync(join(folder, "schema/released.graphql"), "utf8");
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onejob-released-"));
  mkdirSync(join(folder, "schema"));
  write("package.json", JSON.stringify({ version: "0.1.0" }));
  write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n");
  write("schema/released.graphql", noRelease);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether it went well, and what it said. */
function run(command: string): string {
  const { ok, lines } = carryOut(command, pathToFileURL(`${folder}/`), schema);
  return [ok ? "ok:" : "refused:", ...lines].join(" ");
}

it("goes from no release to the first one, and holds the schema to it from then on", () => {
  expect(run("check")).toMatch(/^ok: No release is on record/);
  expect(run("record")).toMatch(/^refused: .* give the release its heading first/);
  expect(record()).toBe(noRelease);

  write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2030-01-01\n");
  expect(run("check")).toMatch(/^refused: .* record the release with npm run schema:record/);
  expect(run("publishing")).toMatch(/^refused: 0\.1\.0 is not on record/);
  expect(run("record")).toMatch(/^ok: .* commit it with the release/);
  expect(readRelease(record())).toEqual({ version: "0.1.0", schema: `${schema.trimEnd()}\n` });
  expect(run("publishing")).toMatch(/^ok: /);
  expect(run("check")).toMatch(/^ok: The schema of 0\.1\.0 breaks nothing that 0\.1\.0 promised/);

  // As if the release had promised a field that the code no longer has.
  const promised = record().replace("type Viewer {", "type Viewer {\n  name: String");
  write("schema/released.graphql", promised);
  expect(run("check")).toMatch(/^refused: .*Viewer\.name was removed.* to 0\.2\.0 at least\.$/);
  expect(run("record")).toMatch(/^refused: 0\.1\.0 is on record with another schema/);
  expect(record()).toBe(promised);

  write("package.json", JSON.stringify({ version: "0.2.0" }));
  expect(run("check")).toMatch(/^ok: .*as its number announces.*Viewer\.name was removed/);
});

it("does not take a lost record for none", () => {
  rmSync(join(folder, "schema/released.graphql"));
  expect(() => run("check")).toThrow(/^schema\/released\.graphql: /);
});

it("refuses a command that it does not know", () => {
  expect(run("rekord")).toBe("refused: Say what to do: check, record, publishing.");
});
