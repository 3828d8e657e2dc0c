/** A configuration in a folder of its own, outside any project, as somebody writes it who tries Onejob. What it says is not judged. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createMigratedDatabase, type TestDatabase } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startProgram } from "./start-program.ts";

const timeout = 60_000;
const config = `import { defineConfig } from "onejob";
  export default defineConfig({ operations: [], providers: [] });`;

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
  return () => database.drop();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "onejob-config-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function startWith(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const args = ["serve", "--config", join(folder, "onejob.config.ts"), "--port", "0"];
  return startProgram(args, { DATABASE_URL: database.url });
}

it("that imports a file which cannot find onejob is told what that file needs", { timeout }, async () => {
  const own = `import { defineOperation } from "onejob"; export const operations = [defineOperation].slice(1);`;
  const whole = `import { operations } from "./own.ts"; export default { operations, providers: [] };`;
  const program = await startWith({ "own.ts": own, "onejob.config.ts": whole });
  expect(await program.exit()).toBe(1);
  expect(program.said()).toContain(
    `Cannot find module 'onejob'. Files that a configuration imports need a package.json`,
  );

  const mended = await startWith({ "package.json": `{ "type": "module" }` });
  expect(await mended.url()).toMatch(/^http/);
  mended.process.kill("SIGTERM");
  expect(await mended.exit()).toBe(0);
});

it("with GraphiQL is told so when the server is ready, and not where all documents are persisted", {
  timeout,
}, async () => {
  const only = config.replace(
    "providers: []",
    `providers: [], http: { persistedDocuments: { manifest: MANIFEST, only: true } }`,
  );
  const readyMessageOf = async (text: string) => {
    const program = await startWith({
      "manifest.json": `{ "who": "{ viewer { ownerId } }" }`,
      "onejob.config.ts": text.replace("MANIFEST", JSON.stringify(join(folder, "manifest.json"))),
    });
    await waitUntil("it is ready", () => program.said().includes('"event":"ready"'));
    program.process.kill("SIGTERM");
    expect(await program.exit()).toBe(0);
    return /Onejob is ready, with ([^"]*)/.exec(program.said())?.[1];
  };
  expect(await readyMessageOf(config)).toBe("the API and GraphiQL");
  expect(await readyMessageOf(only)).toBe("the API");
});
