/** Carries one command out on a repository's folder: reads its files, judges, and writes the record where that is asked for and right. */
import { writeFileSync } from "node:fs";
import { judgePublishing, judgeRecording, judgeSchema, type Verdict } from "./judge.ts";
import { readRepository, recordPath, writeRelease } from "./record.ts";

const judges = { check: judgeSchema, record: judgeRecording, publishing: judgePublishing } as const;

/** `schema` is the one printed from the code. */
export function carryOut(command: string | undefined, root: URL, schema: string): Verdict {
  const judge = Object.entries(judges).find(([name]) => name === command)?.[1];
  if (judge === undefined) return { ok: false, lines: [`Say what to do: ${Object.keys(judges).join(", ")}.`] };
  const repository = readRepository(root);
  const verdict = judge(repository, schema);
  if (!verdict.ok || command !== "record") return verdict;
  writeFileSync(new URL(recordPath, root), writeRelease(repository.version, schema));
  const written = `${recordPath} holds the schema of ${repository.version}: commit it with the release.`;
  return { ok: true, lines: [...verdict.lines, written] };
}
