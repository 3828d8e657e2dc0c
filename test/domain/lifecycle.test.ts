/** The lifecycle tables agree with the design's, read as they stand there, and with each other. */
import { describe, expect, test } from "vitest";
import {
  attemptStates,
  attemptTransitions,
  isClosed,
  isHeld,
  isLive,
  jobStateOfLiveAttempt,
  jobStates,
  jobTransitions,
  liveAttemptStates,
  mayBecome,
} from "../../src/domain/lifecycle.ts";

/** Section 3 of the design, line by line. */
const design = {
  QUEUED: "STARTING CANCELLED",
  STARTING: "RUNNING SUCCEEDED FAILED UNKNOWN CANCELLED",
  RUNNING: "SUCCEEDED FAILED UNKNOWN CANCELLED",
  UNKNOWN: "SUCCEEDED FAILED CANCELLED",
  SUCCEEDED: "",
  FAILED: "",
  CANCELLED: "",
};

describe("attempts", () => {
  test.each(attemptStates)("%s may become what the design says", (from) => {
    expect([...attemptTransitions[from]].toSorted()).toEqual(design[from].split(" ").filter(Boolean).toSorted());
    for (const to of attemptStates) expect(mayBecome(from, to)).toBe(design[from].split(" ").includes(to));
  });

  test("what is live may still move, and what is not live never does", () => {
    for (const state of attemptStates) expect(attemptTransitions[state].length > 0).toBe(isLive(state));
  });

  test("a worker holds an attempt exactly from its claim to its end or its loss", () => {
    expect(attemptStates.filter(isHeld)).toEqual(["STARTING", "RUNNING"]);
  });
});

describe("jobs", () => {
  test("a job is closed exactly where it may become nothing else", () => {
    for (const state of jobStates) expect(jobTransitions[state].length === 0).toBe(isClosed(state));
  });

  test("each move of a live attempt shows as a move of its job, or not at all", () => {
    for (const from of liveAttemptStates) {
      for (const to of liveAttemptStates.filter((state) => mayBecome(from, state))) {
        const [shown, next] = [jobStateOfLiveAttempt[from], jobStateOfLiveAttempt[to]];
        expect(shown === next || (jobTransitions[shown] as readonly string[]).includes(next)).toBe(true);
      }
    }
  });

  test("a job may fail or be cancelled whatever its live attempt is doing, and succeed only once a worker has it", () => {
    for (const state of liveAttemptStates) {
      const targets: readonly string[] = jobTransitions[jobStateOfLiveAttempt[state]];
      expect(targets).toContain("FAILED");
      expect(targets).toContain("CANCELLED");
      expect(targets.includes("SUCCEEDED")).toBe(state !== "QUEUED");
    }
  });
});
