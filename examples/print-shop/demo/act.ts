/** What every act of the story plays on, and how it shows a call. The acts themselves are in files of their own. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { listTray } from "../paper-tray.ts";
import { markOf, type PrintInput, trayDir } from "../print-into-tray.ts";
import { Complaint } from "./complaint.ts";
import type { Answer } from "./documents.ts";
import { type FollowedJob, followJob } from "./follow-job.ts";
import type { PublicApi } from "./public-api.ts";
import { paint, type Stage } from "./stage.ts";

export interface Act {
  readonly api: PublicApi;
  readonly stage: Stage;
  readonly document: PrintInput;
  /** For how long an event is waited for before the story counts as broken. */
  readonly patienceMs: number;
}

/** Follows the job while the scene plays, and no longer. */
export async function whileFollowing<Value>(
  { api, stage, patienceMs }: Act,
  jobId: string,
  scene: (job: FollowedJob) => Promise<Value>,
): Promise<Value> {
  const job = followJob(api, stage, jobId, patienceMs);
  try {
    return await scene(job);
  } finally {
    job.close();
  }
}

export interface Call {
  /** As it is shown. */
  readonly name: string;
  readonly ask: () => Promise<Answer>;
  /** Who calls, where several do. */
  readonly caller?: string;
}

/** Shows a call, and what came back. */
export async function showCall(stage: Stage, { name, ask, caller }: Call): Promise<Answer> {
  const who = caller === undefined ? "" : `${caller}  `;
  stage.tell(`${paint("cyan", "→")} ${who}${name}`);
  const answer = await ask();
  stage.tell(`${paint("cyan", "←")} ${who}${showAnswer(answer)}`);
  if (answer.message !== undefined) for (const line of wrap(answer.message)) stage.tell(`  ${paint("dim", line)}`);
  return answer;
}

function showAnswer({ __typename, created, job, attempt, reason }: Answer): string {
  const facts = [
    ...(attempt === undefined ? [] : [`attempt ${attempt.number} is ${attempt.state}`]),
    ...(job === undefined ? [] : [created === undefined ? `the job is ${job.state}` : job.id]),
    ...(created === undefined ? [] : [`created: ${String(created)}`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return [paint("bold", __typename), facts.join(", ")].filter((part) => part !== "").join("  ");
}

const textWidth = 84;

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > textWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Throws, with the server's own words, unless the answer is the one that the story tells of. */
export function expectAnswer(call: string, answer: Answer, expected: string): void {
  if (answer.__typename === expected) return;
  const issues = answer.issues?.map(({ path: place, message }) => `${place} ${message}`) ?? [];
  const said = [answer.message, ...issues].filter((part) => part !== undefined).join(" ");
  throw new Complaint(
    `The story went otherwise: ${call} should answer ${expected} and answers ${answer.__typename}. ${said}`,
  );
}

export function idOf(what: { readonly id: string } | undefined | null): string {
  if (what === undefined || what === null)
    throw new Complaint("The story went otherwise: an answer lacks what it is about.");
  return what.id;
}

/** The sheets of one job that lie in the tray: what really happened. */
export async function sheetsOf(jobId: string): Promise<string[]> {
  return (await listTray(trayDir)).filter((name) => name.includes(`-${markOf(jobId)}-attempt-`));
}

export async function sha256Of(sheet: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path.join(trayDir, sheet)))
    .digest("hex");
}
