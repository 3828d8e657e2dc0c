/**
 * Writes what is derived from the code and committed: schema/schema.graphql, docs/lifecycle.md, docs/api.md and docs/licences.md.
 * With --check it writes nothing, and fails if one of them is not current.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { printSchema } from "graphql";
import {
  attemptTransitions,
  closedJobStates,
  jobStateOfLiveAttempt,
  jobTransitions,
  liveAttemptStates,
} from "../src/domain/lifecycle.ts";
import { buildOnejobSchema } from "../src/graphql/schema.ts";
import { apiPage } from "./api-page/page.ts";
import { type Lock, licencesPage } from "./licences.ts";

const root = join(import.meta.dirname, "..");

type Transitions = Readonly<Record<string, readonly string[]>>;

function transitionTable(thing: string, transitions: Transitions): string {
  const rows = Object.entries(transitions).map(([from, to]) => `| ${from} | ${to.join(", ") || "nothing: final"} |`);
  return [`| ${thing} from | may become |`, "| --- | --- |", ...rows].join("\n");
}

function stateDiagram(initial: string, transitions: Transitions): string {
  const moves = Object.entries(transitions).flatMap(([from, to]) =>
    to.length === 0 ? [`  ${from} --> [*]`] : to.map((next) => `  ${from} --> ${next}`),
  );
  return ["```mermaid", "stateDiagram-v2", `  [*] --> ${initial}`, ...moves, "```"].join("\n");
}

function lifecyclePage(): string {
  const mirror = Object.entries(jobStateOfLiveAttempt).map(([attempt, job]) => `| ${attempt} | ${job} |`);
  return [
    "# Lifecycle",
    "<!-- Generated from src/domain/lifecycle.ts by scripts/generate.ts: change it there. -->",
    "Every move of an attempt and of a job between states. What is not in these tables cannot happen: triggers in the database refuse it, also to a person in psql.",
    "## Attempts",
    transitionTable("attempt", attemptTransitions),
    stateDiagram("QUEUED", attemptTransitions),
    `An attempt that is ${liveAttemptStates.join(", ")} is live, and a job has at most one such attempt. STARTING is written before the request leaves for the provider, so that a crash in between reads as UNKNOWN, never as not sent.`,
    "## Jobs",
    transitionTable("job", jobTransitions),
    stateDiagram("QUEUED", jobTransitions),
    `A job that is ${closedJobStates.join(" or ")} is closed and never changes again. FAILED is not final: retryJob reopens it. While an attempt is live, the job shows its state:`,
    ["| live attempt | job |", "| --- | --- |", ...mirror].join("\n"),
  ].join("\n\n");
}

const schema = buildOnejobSchema();
const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as Lock;

const files: Readonly<Record<string, string>> = {
  "schema/schema.graphql": printSchema(schema),
  "docs/lifecycle.md": lifecyclePage(),
  "docs/licences.md": licencesPage(lock),
  "docs/api.md": await apiPage(schema, root),
};

async function isCurrent(path: string, text: string): Promise<boolean> {
  try {
    return (await readFile(path, "utf8")) === text;
  } catch {
    return false;
  }
}

async function generate(check: boolean): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    const text = `${content.trimEnd()}\n`;
    if (await isCurrent(path, text)) continue;
    if (check) {
      console.error(`${name} is not current: run node --conditions=onejob-source --import tsx scripts/generate.ts`);
      process.exitCode = 1;
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      console.log(`${name} written`);
    }
  }
}

await generate(process.argv.includes("--check"));
