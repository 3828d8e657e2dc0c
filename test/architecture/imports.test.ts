/** Runs dependency-cruiser as CI does, and proves on a tree built for the purpose that its rules find what they forbid. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listFiles, root } from "./list-files.ts";

const run = promisify(execFile);
const program = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
const config = join(root, ".dependency-cruiser.mjs");

async function cruise(folder: string): Promise<ICruiseResult> {
  const files = "{src,test,examples,scripts}/**/*.{ts,tsx,mjs}";
  const { stdout } = await run(process.execPath, [program, "--config", config, "--output-type", "json", files], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as ICruiseResult;
}

function violations(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).toSorted();
}

/** One layer's imports per file. What `expected` does not name must be allowed. */
const tree: Record<string, string> = {
  "node_modules/canonicalize/package.json": '{ "name": "canonicalize", "exports": "./index.js" }',
  "node_modules/canonicalize/index.js": "export default String;",
  "node_modules/postgres/package.json": '{ "name": "postgres", "exports": "./index.js" }',
  "node_modules/postgres/index.js": "export default String;",
  "node_modules/vitest/package.json": '{ "name": "vitest", "exports": "./index.js" }',
  "node_modules/vitest/index.js": "export default String;",
  "package.json": JSON.stringify({
    name: "onejob",
    type: "module",
    exports: { ".": { "onejob-source": "./src/index.ts" } },
    dependencies: { canonicalize: "1.0.0", postgres: "1.0.0" },
    devDependencies: { vitest: "1.0.0" },
  }),
  "src/domain/job.ts":
    'import c from "canonicalize"; import { createHash } from "node:crypto"; export default [c, createHash];',
  "src/domain/leak.ts": 'import type { Row } from "../store/rows.ts"; export type Leak = Row;',
  "src/domain/file.ts": 'import { readFileSync } from "node:fs"; export default readFileSync;',
  "src/domain/lone.ts": "export const lone = 1;",
  "src/store/rows.ts":
    'import job from "../domain/job.ts"; import p from "postgres"; export type Row = [typeof job, typeof p];',
  "src/store/leak.ts": 'export * from "../providers/http.ts";',
  "src/providers/http.ts": 'import job from "../domain/job.ts"; export const http = job;',
  "src/providers/leak.ts": 'export const later = () => import("../store/rows.ts");',
  "src/runtime/feed.ts":
    'import "../providers/http.ts"; export type { Row } from "../store/rows.ts"; export class Feed {}',
  "src/runtime/leak.ts": 'import "../graphql/schema.ts";',
  "src/graphql/schema.ts": 'import type { Feed } from "../runtime/feed.ts"; export type Context = { feed: Feed };',
  "src/graphql/leak.ts":
    'import { Feed } from "../runtime/feed.ts"; import "../providers/http.ts"; export default Feed;',
  "src/server/compose.ts": 'import "../graphql/schema.ts"; import "../runtime/feed.ts"; import "../store/rows.ts";',
  "src/server/leak.ts": 'import "../client/index.ts"; import "postgres"; import "vitest"; import "./gone.ts";',
  "src/cli/main.ts": 'import "../server/compose.ts";',
  "src/cli/leak.ts": 'import "../store/rows.ts"; import "../../test/job.test.ts";',
  "src/client/index.ts": 'export * from "./connection.ts";',
  "src/client/connection.ts": "export const connection = 1;",
  "src/client/leak.ts": 'import "../domain/job.ts";',
  "src/console/page.ts": 'import "../client/index.ts";',
  "src/console/leak.ts": 'import "../client/connection.ts"; import "../cli/main.ts";',
  "src/index.ts": 'export * from "./providers/http.ts"; export * from "./round.ts";',
  "src/round.ts": 'import type { There } from "./there.ts"; export type Round = There;',
  "src/there.ts": 'import type { Round } from "./round.ts"; export type There = Round;',
  "examples/worker.ts": 'import "onejob";',
  "examples/leak.ts": 'import "../src/providers/http.ts";',
  "test/simulation/settings.ts": "export const settings = 1;",
  "test/simulation/model/world.ts": 'import "../settings.ts";',
  "test/simulation/model/leak.ts": 'import "../../../src/domain/job.ts";',
  "test/job.test.ts": 'import "vitest"; import "../src/domain/job.ts"; import "../src/runtime/feed.ts";',
};

const expected = [
  "cli-imports: src/cli/leak.ts → src/store/rows.ts",
  "client-imports: src/client/leak.ts → src/domain/job.ts",
  "console-by-the-front-door: src/console/leak.ts → src/client/connection.ts",
  "console-imports: src/console/leak.ts → src/cli/main.ts",
  "domain-imports: src/domain/leak.ts → src/store/rows.ts",
  "domain-is-pure: src/domain/file.ts → fs",
  "entry-points-are-not-imported: src/console/leak.ts → src/cli/main.ts",
  "everything-resolves: src/server/leak.ts → ./gone.ts",
  "examples-by-the-front-door: examples/leak.ts → src/providers/http.ts",
  "graphql-imports: src/graphql/leak.ts → src/providers/http.ts",
  "graphql-takes-types-of-runtime: src/graphql/leak.ts → src/runtime/feed.ts",
  "no-cycles: src/round.ts → src/there.ts",
  "no-orphans: src/domain/lone.ts → src/domain/lone.ts",
  "no-undeclared-packages: src/server/leak.ts → node_modules/vitest/index.js",
  "providers-imports: src/providers/leak.ts → src/store/rows.ts",
  "runtime-imports: src/runtime/leak.ts → src/graphql/schema.ts",
  "server-imports: src/server/leak.ts → src/client/index.ts",
  "simulation-model-stands-alone: test/simulation/model/leak.ts → src/domain/job.ts",
  "sql-in-store: src/server/leak.ts → node_modules/postgres/index.js",
  "src-stands-alone: src/cli/leak.ts → test/job.test.ts",
  "store-imports: src/store/leak.ts → src/providers/http.ts",
];

describe("the rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "onejob-imports-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    copyFileSync(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
  });

  it("find what they forbid and nothing else", async () => {
    expect(violations(await cruise(folder))).toEqual(expected);
  });
});

describe("the repository", () => {
  let result: ICruiseResult;
  beforeAll(async () => {
    result = await cruise(root);
  });

  it("keeps them", () => {
    expect(violations(result)).toEqual([]);
  });

  it("is seen whole, which it is not without a compiler that dependency-cruiser can use", () => {
    const seen = result.modules.map((module) => module.source).filter((source) => source.startsWith("src/"));
    const present = listFiles(join(root, "src")).map((file) => file.path);
    expect(seen.toSorted()).toEqual(present.filter((path) => /\.tsx?$/.test(path)).toSorted());
  });
});
