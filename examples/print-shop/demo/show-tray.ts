/** The end of the story: what lies in the tray, beside what the jobs say of it. */
import { type Act, sheetsOf } from "./act.ts";
import { expectSame } from "./complaint.ts";
import type { AttemptView, JobView } from "./documents.ts";
import { paint } from "./stage.ts";

interface Row {
  readonly cells: readonly string[];
  readonly isStray: boolean;
}

function remarkOn(attempt: AttemptView, job: JobView, sheet: string | undefined): string {
  if (job.winner?.number === attempt.number) return "the result";
  if (attempt.lateResultAt !== null) return "came late, thrown away";
  return attempt.failure?.code ?? (sheet === undefined ? "" : "not known to the job");
}

function rowOf(attempt: AttemptView, job: JobView, sheets: readonly string[]): Row {
  const sheet = sheets.find((name) => name.includes(`-attempt-${attempt.number}-`));
  const remark = remarkOn(attempt, job, sheet);
  return {
    cells: [`${attempt.number} ${attempt.providerName}`, attempt.state, sheet ?? "-", remark],
    isStray: sheet !== undefined && remark !== "the result",
  };
}

const titles = ["attempt", "state", "sheet in the tray", "for the job"];

export async function showTray({ api, stage }: Act, jobIds: readonly string[]): Promise<void> {
  const jobs = await Promise.all(jobIds.map((id) => api.readJob(id)));
  const sheetsOfJobs = await Promise.all(jobIds.map((id) => sheetsOf(id)));
  const rowsOfJobs = jobs.map((job, index) =>
    job.attempts.nodes.map((attempt) => rowOf(attempt, job, sheetsOfJobs[index] ?? [])),
  );
  const all = [titles, ...rowsOfJobs.flat().map((row) => row.cells)];
  const widths = titles.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const lineUp = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();

  stage.heading("What the tray holds, and what the jobs say");
  stage.tell(`  ${paint("dim", lineUp(titles))}`);
  for (const [index, job] of jobs.entries()) {
    stage.tell(`${job.id}  ${job.state}`);
    for (const row of rowsOfJobs[index] ?? [])
      stage.tell(`  ${row.isStray ? paint("yellow", lineUp(row.cells)) : lineUp(row.cells)}`);
  }
  const sheets = sheetsOfJobs.flat().length;
  const results = jobs.filter((job) => job.result !== null).length;
  expectSame("the number of sheets in the tray", sheets, 3);
  expectSame("the number of results", results, 2);
  stage.say();
  stage.say(
    `${sheets} sheets, ${jobs.length} jobs, ${results} results: printing twice could not be prevented, counting it twice was.`,
  );
}
