/** The program behind npm run schema:check and schema:record, run on a folder with a release of its own: what it writes, how it ends. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { printSchema } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { noRelease, readRelease } from "../../scripts/released-schema/record.ts";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

const program = fileURLToPath(new URL("../../scripts/released-schema.ts", import.meta.url));
const schema = `${printSchema(buildOnejobSchema()).trimEnd()}\n`;

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

function run(command: string): Promise<{ readonly code: number; readonly text: string }> {
  const root = pathToFileURL(`${folder}/`).href;
  const args = ["--conditions=onejob-source", "--import", "tsx", program, command, root];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr });
    });
  });
}

it("goes from no release to the first one, and holds the schema to it from then on", async () => {
  expect(await run("check")).toMatchObject({ code: 0, text: expect.stringContaining("No release is on record") });
  expect(await run("record")).toMatchObject({ code: 1, text: expect.stringContaining("give the release its heading") });
  expect(record()).toBe(noRelease);

  write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2030-01-01\n");
  expect(await run("publishing")).toMatchObject({ code: 1, text: expect.stringContaining("0.1.0 is not on record") });
  expect(await run("record")).toMatchObject({ code: 0 });
  expect(readRelease(record())).toEqual({ version: "0.1.0", schema });
  expect(await run("publishing")).toMatchObject({ code: 0 });

  // As if this version had promised a field that the code no longer has.
  const promised = record().replace("type Viewer {", "type Viewer {\n  name: String");
  write("schema/released.graphql", promised);
  const broken = await run("check");
  expect(broken).toMatchObject({ code: 1, text: expect.stringContaining("Viewer.name was removed") });
  expect(broken.text).toContain("to 0.2.0 at least");
  expect(await run("record")).toMatchObject({
    code: 1,
    text: expect.stringContaining("on record with another schema"),
  });
  expect(record()).toBe(promised);

  rmSync(join(folder, "schema/released.graphql"));
  expect(await run("check")).toMatchObject({ code: 1, text: expect.stringContaining("schema/released.graphql") });
}, 60_000);
