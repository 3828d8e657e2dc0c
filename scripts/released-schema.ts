/**
 * Holds the schema to what the last release promised. `check` compares the two, `record` puts this version's schema on record,
 * `publishing` refuses what is not on record. Who breaks what, and by which version that is allowed, is in released-schema/.
 */
import { writeFileSync } from "node:fs";
import { printSchema } from "graphql";
import { buildOnejobSchema } from "../src/graphql/schema.ts";
import { judgePublishing, judgeRecording, judgeSchema } from "./released-schema/judge.ts";
import { readRepository, recordPath, writeRelease } from "./released-schema/record.ts";

const judges = { check: judgeSchema, record: judgeRecording, publishing: judgePublishing } as const;

function run(command: string | undefined, root: URL): boolean {
  const judge = Object.entries(judges).find(([name]) => name === command)?.[1];
  if (judge === undefined) throw new Error(`say what to do: ${Object.keys(judges).join(", ")}`);
  const schema = printSchema(buildOnejobSchema());
  const repository = readRepository(root);
  const { ok, lines } = judge(repository, schema);
  for (const line of lines) (ok ? console.log : console.error)(line);
  if (ok && command === "record") {
    writeFileSync(new URL(recordPath, root), writeRelease(repository.version, schema));
    console.log(`${recordPath} holds the schema of ${repository.version}: commit it with the release.`);
  }
  return ok;
}

try {
  // Another root for a test of this program; nothing but the three files is read from it.
  const root = process.argv[3] === undefined ? new URL("../", import.meta.url) : new URL(process.argv[3]);
  process.exitCode = run(process.argv[2], root) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
