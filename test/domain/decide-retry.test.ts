/** What a retry is answered, for every state of job and newest attempt, and whichever attempt the caller saw end. */
import { describe, expect, test } from "vitest";
import { decideRetry } from "../../src/domain/decide-retry.ts";
import {
  attemptStates,
  closedJobStates,
  isLive,
  jobStateOfLiveAttempt,
  liveAttemptStates,
} from "../../src/domain/lifecycle.ts";

const latestNumber = 3;
const ended = attemptStates.filter((state) => !isLive(state) && state !== "SUCCEEDED");

describe.each([1, 2, 3])("after attempt %i of three", (afterNumber) => {
  test.each(closedJobStates)("a job that is %s answers closed", (jobState) => {
    for (const latestState of attemptStates) {
      expect(decideRetry({ isPurged: false, jobState, latestState, latestNumber, afterNumber })).toBe("closed");
    }
  });
});

test("a failed job without its input answers purged, whichever attempt is named", () => {
  for (const afterNumber of [1, 2, 3]) {
    expect(decideRetry({ isPurged: true, jobState: "FAILED", latestState: "FAILED", latestNumber, afterNumber })).toBe(
      "purged",
    );
  }
});

describe.each(liveAttemptStates)("while the newest attempt is %s", (latestState) => {
  const jobState = jobStateOfLiveAttempt[latestState];

  test.each([3, 2])("nothing starts beside it after attempt %i of three", (afterNumber) => {
    expect(decideRetry({ isPurged: false, jobState, latestState, latestNumber, afterNumber })).toBe("in-flight");
  });

  test("whoever names an attempt before the last but one has missed an end", () => {
    expect(decideRetry({ isPurged: false, jobState, latestState, latestNumber, afterNumber: 1 })).toBe("outdated");
  });
});

describe.each(ended)("once the newest attempt is %s", (latestState) => {
  test("the next one starts after it", () => {
    expect(decideRetry({ isPurged: false, jobState: "FAILED", latestState, latestNumber, afterNumber: 3 })).toBe(
      "start",
    );
  });

  test.each([2, 1])("whoever names attempt %i of three has missed its end", (afterNumber) => {
    expect(decideRetry({ isPurged: false, jobState: "FAILED", latestState, latestNumber, afterNumber })).toBe(
      "outdated",
    );
  });
});
