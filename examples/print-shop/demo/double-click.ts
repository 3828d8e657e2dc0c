/** Act 1: a double click, which becomes one job and one sheet. Act 2: its key with another document, which is refused. */
import { randomUUID } from "node:crypto";
import { type Act, expectAnswer, idOf, sha256Of, sheetsOf, showCall, whileFollowing } from "./act.ts";
import { expectSame } from "./complaint.ts";
import type { CreateJobInput } from "./documents.ts";

export interface ClickedJob {
  readonly jobId: string;
  readonly request: CreateJobInput;
}

export async function playDoubleClick(act: Act): Promise<ClickedJob> {
  const { api, stage, document } = act;
  const idempotencyKey = `demo-${randomUUID()}`;
  const request = { idempotencyKey, operation: "print", provider: "laser", input: document };
  stage.heading("1  A double click");
  stage.say(`Somebody presses "Print ${document.name}" twice: two calls at once, with one key.`);
  stage.say();
  const click = (caller: string) => showCall(stage, { caller, name: "createJob", ask: () => api.createJob(request) });
  const answers = await Promise.all([click("click 1"), click("click 2")]);
  for (const answer of answers) expectAnswer("createJob", answer, "CreateJobSuccess");
  const [jobId = "", second = ""] = answers.map(({ job }) => idOf(job));
  expectSame("the second click's job", second, jobId);
  expectSame("the number of clicks that created a job", answers.filter(({ created }) => created === true).length, 1);
  stage.say();

  await whileFollowing(act, jobId, (job) =>
    job.until({ type: "JOB_SUCCEEDED", attempt: 1, unless: ["ATTEMPT_FAILED", "ATTEMPT_UNKNOWN"] }),
  );
  const { result } = await api.readJob(jobId);
  const sheets = await sheetsOf(jobId);
  expectSame("the number of sheets in the tray", sheets.length, 1);
  expectSame("the job's sheet", result?.fileName ?? null, sheets[0] ?? null);
  expectSame("the job's SHA-256", result?.sha256 ?? null, await sha256Of(sheets[0] ?? ""));
  stage.say();
  stage.confirm("two clicks, one job, and one of them created it");
  stage.confirm(`one sheet in the tray: ${sheets[0]}, ${showPages(result?.pageCount ?? 0)}`);
  return { jobId, request };
}

function showPages(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}

export async function playOtherDocument({ api, stage }: Act, { jobId, request }: ClickedJob): Promise<void> {
  stage.heading("2  The same key, another document");
  stage.say("A key stands for what was asked with it. It cannot be used for something else.");
  stage.say();
  const input = { name: "another.txt", text: "Another document.", format: "text" } as const;
  const ask = () => api.createJob({ ...request, input });
  const answer = await showCall(stage, { name: "createJob with that key, for another.txt", ask });
  expectAnswer("createJob", answer, "IdempotencyConflict");
  expectSame("the job that holds the key", idOf(answer.existingJob), jobId);
  const differences = answer.differences ?? [];
  expectSame("the number of differences that are named", differences.length > 0, true);
  stage.tell(`  the two differ at ${differences.join(", ")}`);
  expectSame("the number of sheets in the tray", (await sheetsOf(jobId)).length, 1);
  stage.say();
  stage.confirm("refused, and nothing more in the tray");
}
