/** Holds every file to the rules of rules.ts, and each rule to its own purpose: it must refuse and it must allow. */
import { describe, expect, it } from "vitest";
import { listFiles } from "./list-files.ts";
import { type Rule, rules, type SourceFile } from "./rules.ts";

const files = listFiles();

function judge(rule: Rule, path: string, text: string): string[] {
  return rule({ path, text });
}

/** What each rule must refuse and what it must let pass, as [path, text]. Names are split so that this file passes. */
const examples: Record<keyof typeof rules, { refused: [string, string][]; allowed: [string, string][] }> = {
  staysShort: {
    refused: [["src/store/long.ts", "x\n".repeat(201)]],
    allowed: [
      ["src/store/full.ts", "x\n".repeat(200)],
      ["docs/long.md", "x\n".repeat(500)],
    ],
  },
  opensWithSentence: {
    refused: [
      ["src/domain/job.ts", 'import type { Json } from "./json.ts";\n/** Too late to be the opening comment. */\n'],
      ["src/domain/job.ts", "// A job.\nexport const job = 1;\n"],
      ["src/domain/job.ts", "// oxlint-disable-next-line no-console because of something.\nexport const job = 1;\n"],
    ],
    allowed: [
      ["src/domain/job.ts", "/** The durable record of one intent; it is not an attempt. */\nexport const job = 1;\n"],
      ["src/cli/main.ts", "#!/usr/bin/env node\n// Opens the program; it holds no logic of its own.\n"],
    ],
  },
  hasMeaningfulName: {
    refused: [
      ["src/store/utils.ts", ""],
      ["src/helpers/date.ts", ""],
      ["test/support/job-manager.ts", ""],
    ],
    allowed: [["src/store/write/commons-deed.ts", ""]],
  },
  asksTheClock: {
    refused: [
      ["src/store/batcher.ts", "const at = Date.now();"],
      ["src/store/batcher.ts", "const read = Date.now;"],
      ["test/store/batcher.test.ts", "const at = new Date();"],
      ["examples/worker.ts", "const at = `${Math.random()}`;"],
    ],
    allowed: [
      ["src/runtime/clock.ts", "export const now = () => Date.now();"],
      ["src/store/batcher.ts", "// Date.now() would lie here.\nconst at = new Date(row.at);"],
      ["test/bench/commit.ts", "const at = Date.now();"],
    ],
  },
  opensNoTransaction: {
    refused: [
      ["src/store/connect.ts", "await client.begin(async (tx) => tx);"],
      ["src/server/compose.ts", "await db.transaction(run);"],
    ],
    allowed: [
      ["src/store/migrate.ts", "await client.begin(async (tx) => tx);"],
      ["src/store/connect.ts", "// Never .begin( here.\nbeginning();"],
    ],
  },
  keepsSqlInStore: {
    refused: [
      ["src/server/compose.ts", "await db.execute(sql`vacuum`);"],
      ["src/runtime/sweeper.ts", 'await run("select id, count(*) as n from jobs where state = $1");'],
      ["src/graphql/load.ts", "await run(`\n  UPDATE jobs SET state = $1`);"],
      ["src/server/ready.ts", 'await run("select 1");'],
    ],
    allowed: [
      ["src/store/read/job.ts", "await db.execute(sql`select 1`);"],
      ["src/server/compose.ts", 'throw new Error("Select a provider from the list, or delete from it what is gone.");'],
    ],
  },
  runsEveryTest: {
    refused: [
      // In parts, so that no search for tests left out stops here.
      ["test/race/claim.test.ts", ["it", 'skip("waits", run);'].join(".")],
      ["test/race/claim.test.ts", ["describe", 'only("claim", run);'].join(".")],
      ["test/race/claim.test.ts", ["it", 'todo("waits");'].join(".")],
      ["test/race/claim.test.ts", ["it", 'skipIf(isRoot)("waits", run);'].join(".")],
    ],
    allowed: [["test/race/claim.test.ts", ["// Not it", 'skip("x").\nit("waits", run);'].join(".")]],
  },
  readsEnvironmentInConfig: {
    refused: [["src/store/connect.ts", "connect(process.env.DATABASE_URL);"]],
    allowed: [
      ["src/server/config/environment.ts", "read(process.env);"],
      ["src/cli/main.ts", "serve(process.env);"],
    ],
  },
  namesNoMachine: {
    refused: [
      ["README.md", ["Run it in ", "home", "ada"].join("/")],
      ["docs/operations.md", ["cd ", "work", "main"].join("/")],
    ],
    allowed: [["README.md", "See https://example.org/home/page and ./guide/in-progress."]],
  },
  pinsVersions: {
    refused: [
      ["package.json", '{ "dependencies": { "zod": "^4.6.7" } }'],
      ["package.json", '{ "devDependencies": { "vite": "~8.3.8" } }'],
      ["package.json", '{ "overrides": { "vite": "8.x" } }'],
    ],
    allowed: [["package.json", '{ "dependencies": { "a": "1.0.0-rc.5", "b": "npm:@scope/c@7.0.2" } }']],
  },
};

describe.each(Object.entries(rules))("%s", (name, rule) => {
  const { refused, allowed } = examples[name as keyof typeof rules];

  it.each(refused)("refuses an example in %s", (path, text) => {
    expect(judge(rule, path, text)).not.toEqual([]);
  });

  it.each(allowed)("allows an example in %s", (path, text) => {
    expect(judge(rule, path, text)).toEqual([]);
  });

  it("is kept by every file", () => {
    const report = (file: SourceFile) => rule(file).map((violation) => `${file.path} ${violation}`);
    expect(files.flatMap(report)).toEqual([]);
  });
});

it("looks at the files that it is about", () => {
  const paths = files.map((file) => file.path);
  expect(paths).toEqual(expect.arrayContaining(["package.json", ".ci/run", "test/architecture/tidy.test.ts"]));
});
