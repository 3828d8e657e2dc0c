/** The result slot on histories as clients record them: what the design forbids is refused, and what an unanswered call excuses is not. */
import { describe, expect, test } from "vitest";
import type { Answer, Call } from "./operation.ts";
import { judge, type Line, type Story } from "./story.ts";

const job = "j";
const complete = (attempt: string, result: string): Call => ({ kind: "complete", job, attempt, result });
const cancelAttempt = (attempt: string): Call => ({ kind: "cancelAttempt", job, attempt });
const cancelJob: Call = { kind: "cancelJob", job };
const retry = (after: string): Call => ({ kind: "retry", job, after });
const readJob: Call = { kind: "readJob", job };
const won: Answer = { kind: "won" };
const cancelled: Answer = { kind: "cancelled" };
const closed: Answer = { kind: "closed" };
const discarded = (winner: string | null): Answer => ({ kind: "discarded", winner });
const started = (attempt: string): Answer => ({ kind: "started", attempt });
const inFlight = (attempt: string): Answer => ({ kind: "inFlight", attempt });
const outdated = (attempt: string): Answer => ({ kind: "outdated", attempt });
const shows = (state: string, latest: string, winner: string | null = null, result: string | null = null): Answer => ({
  kind: "job",
  state,
  latest,
  winner,
  result,
});

describe("the result slot", () => {
  const firstEnds: readonly Line[] = [
    [0, 1, cancelAttempt("1"), cancelled],
    [2, 3, retry("1"), started("2")],
  ];
  const refused: readonly Story[] = [
    ["two results that both won", [0, 9, complete("1", "x"), won], [1, 8, complete("1", "y"), won]],
    [
      "results of two attempts that both won",
      ...firstEnds,
      [4, 9, complete("1", "x"), won],
      [4, 9, complete("2", "y"), won],
    ],
    [
      "a result that won after its attempt was cancelled",
      [0, 1, cancelAttempt("1"), cancelled],
      [2, 3, complete("1", "x"), won],
    ],
    [
      "a late result of the first attempt that won while the second is live",
      ...firstEnds,
      [4, 5, complete("1", "x"), won],
    ],
    ["a result that won after its job was cancelled", [0, 1, cancelJob, cancelled], [2, 3, complete("1", "x"), won]],
    ["a job cancelled after its result won", [0, 1, complete("1", "x"), won], [2, 3, cancelJob, cancelled]],
    ["an attempt cancelled after it won", [0, 1, complete("1", "x"), won], [2, 3, cancelAttempt("1"), cancelled]],
    ["a job too late to cancel that nobody completed", [0, 1, cancelJob, closed]],
    [
      "a discarded result that is read as the result",
      [0, 9, complete("1", "x"), won],
      [0, 9, complete("1", "y"), discarded("1")],
      [10, 11, readJob, shows("SUCCEEDED", "1", "1", "y")],
    ],
    [
      "a discard before anything had ended",
      [0, 1, complete("1", "x"), discarded(null)],
      [2, 3, complete("1", "y"), won],
    ],
    [
      "a discard that names no winner, though there is one",
      [0, 1, complete("1", "x"), won],
      [2, 3, complete("1", "y"), discarded(null)],
    ],
    [
      "a discard that names a winner before there was one",
      [0, 1, cancelAttempt("1"), cancelled],
      [2, 3, complete("1", "x"), discarded("1")],
    ],
    [
      "the winning result, sent again and discarded",
      [0, 1, complete("1", "x"), won],
      [2, 3, complete("1", "x"), discarded("1")],
    ],
    ["a job read open after it was won", [0, 1, complete("1", "x"), won], [2, 3, readJob, shows("RUNNING", "1")]],
    [
      "a result that was seen, and is another",
      [0, null, complete("1", "x"), null],
      [0, null, complete("1", "y"), null],
      [1, 2, readJob, shows("SUCCEEDED", "1", "1", "x")],
      [3, 4, readJob, shows("SUCCEEDED", "1", "1", "y")],
    ],
    [
      "a winner that is no attempt of the job",
      [0, 1, complete("1", "x"), won],
      [2, 3, readJob, shows("SUCCEEDED", "1", "2", "x")],
    ],
    ["a job that is not there", [0, 1, readJob, { kind: "other", text: "readJob: nothing" }]],
    [
      "two clicks that both start an attempt",
      [0, 1, cancelAttempt("1"), cancelled],
      [2, 9, retry("1"), started("2")],
      [2, 9, retry("1"), started("3")],
    ],
    ["a retry beside a live attempt", [0, 1, readJob, shows("RUNNING", "1")], [2, 3, retry("1"), started("2")]],
    ["a retry of a job that was won", [0, 1, complete("1", "x"), won], [2, 3, retry("1"), started("2")]],
    ["a retry in flight that is another one's", ...firstEnds, [4, 5, retry("1"), inFlight("3")]],
  ];
  test.for(refused)("refuses %s", ([_what, ...lines]) => {
    expect(judge(lines)).not.toEqual([]);
  });

  const allowed: readonly Story[] = [
    [
      "a winner, its repeat and a loser",
      [0, 5, complete("1", "x"), won],
      [1, 9, complete("1", "x"), won],
      [2, 9, complete("1", "y"), discarded("1")],
    ],
    [
      "a discard that is answered before the win",
      [0, 9, complete("1", "x"), won],
      [1, 2, complete("1", "y"), discarded("1")],
    ],
    [
      "a fallback that wins, and the first one's late result",
      ...firstEnds,
      [4, 5, complete("1", "x"), discarded(null)],
      [6, 7, complete("2", "y"), won],
      [8, 9, complete("1", "z"), discarded("2")],
    ],
    [
      "an unanswered result that won",
      [0, null, complete("1", "x"), null],
      [2, 3, cancelJob, closed],
      [4, 5, readJob, shows("SUCCEEDED", "1", "1", "x")],
    ],
    [
      "an unanswered result that never came",
      [0, null, complete("1", "x"), null],
      [2, 3, cancelJob, cancelled],
      [4, 5, readJob, shows("CANCELLED", "1")],
    ],
    [
      "an unanswered retry whose attempt is met later",
      [0, 1, cancelAttempt("1"), cancelled],
      [2, null, retry("1"), null],
      [4, 5, retry("1"), inFlight("2")],
      [6, 7, complete("2", "x"), won],
    ],
    [
      "an unanswered cancellation that came late",
      [0, null, cancelAttempt("1"), null],
      [1, 2, readJob, shows("RUNNING", "1")],
      [3, 4, readJob, shows("FAILED", "1")],
    ],
    [
      "cancellations repeated",
      [0, 1, cancelAttempt("1"), cancelled],
      [2, 3, cancelAttempt("1"), cancelled],
      [4, 5, cancelJob, cancelled],
      [6, 7, cancelJob, cancelled],
      [8, 9, retry("1"), closed],
    ],
    [
      "a click that missed the second attempt's end",
      ...firstEnds,
      [4, 5, cancelAttempt("2"), cancelled],
      [6, 7, retry("1"), outdated("2")],
    ],
  ];
  test.for(allowed)("allows %s", ([_what, ...lines]) => {
    expect(judge(lines)).toEqual([]);
  });
});
