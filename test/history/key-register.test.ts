/** The key on histories as clients record them: what the design forbids is refused, and what an unanswered call excuses is not. */
import { describe, expect, test } from "vitest";
import type { Answer, Call } from "./operation.ts";
import { judge, type Story } from "./story.ts";

const create = (intent: string, key = "k"): Call => ({ kind: "create", key, intent });
const readKey: Call = { kind: "readKey", key: "k" };
const created = (job: string): Answer => ({ kind: "created", job });
const same = (job: string): Answer => ({ kind: "same", job });
const conflict = (job: string): Answer => ({ kind: "conflict", job });
const bound = (job: string | null, intent: string | null): Answer => ({ kind: "key", job, intent });

describe("the key", () => {
  const refused: readonly Story[] = [
    ["two creates that both created", [0, 9, create("a"), created("1")], [1, 8, create("a"), created("2")]],
    [
      "two creates that both created the same job",
      [0, 9, create("a"), created("1")],
      [1, 8, create("a"), created("1")],
    ],
    ["a repeat before anything was created", [0, 1, create("a"), same("1")], [2, 3, create("a"), created("1")]],
    ["a repeat that names another job", [0, 1, create("a"), created("1")], [2, 3, create("a"), same("2")]],
    ["another intent taken for the same", [0, 1, create("a"), created("1")], [2, 3, create("b"), same("1")]],
    ["a conflict with the same intent", [0, 1, create("a"), created("1")], [2, 3, create("a"), conflict("1")]],
    ["a conflict that names another job", [0, 1, create("a"), created("1")], [2, 3, create("b"), conflict("2")]],
    ["a conflict with nothing", [0, 1, create("a"), conflict("1")]],
    [
      "two intents, each the same as what is bound",
      [0, 9, create("a"), same("1")],
      [1, 8, create("b"), same("1")],
      [0, null, create("a"), null],
    ],
    ["an empty key after a create was answered", [0, 1, create("a"), created("1")], [2, 3, readKey, bound(null, null)]],
    ["a key that is read with another intent", [0, 1, create("a"), created("1")], [2, 3, readKey, bound("1", "b")]],
    ["a job under a key for which nobody asked", [0, 1, readKey, bound("1", "a")]],
    [
      "a job that was seen, and is gone",
      [0, null, create("a"), null],
      [1, 2, readKey, bound("1", "a")],
      [3, 4, readKey, bound(null, null)],
    ],
    [
      "a phantom: an unanswered create seen under two ids",
      [0, null, create("a"), null],
      [1, 2, create("a"), same("1")],
      [3, 4, create("a"), same("2")],
    ],
    ["one job under two keys", [0, 1, create("a"), created("1")], [0, 1, create("a", "other"), created("1")]],
    ["an answer before its call", [2, 1, create("a"), created("1")]],
    ["an answer that no rule knows", [0, 1, create("a"), { kind: "other", text: "create: InvalidInput" }]],
  ];
  test.for(refused)("refuses %s", ([_what, ...lines]) => {
    expect(judge(lines)).not.toEqual([]);
  });

  const allowed: readonly Story[] = [
    [
      "one create and its repeats",
      [0, 5, create("a"), created("1")],
      [1, 9, create("a"), same("1")],
      [6, 7, create("b"), conflict("1")],
    ],
    ["a repeat that is answered before the create", [0, 9, create("a"), created("1")], [1, 2, create("a"), same("1")]],
    [
      "a read that finds nothing beside the create",
      [0, 9, create("a"), created("1")],
      [1, 2, readKey, bound(null, null)],
    ],
    [
      "an unanswered create that did create",
      [0, null, create("a"), null],
      [1, 2, create("a"), same("1")],
      [3, 4, create("b"), conflict("1")],
    ],
    ["an unanswered create that never did", [0, null, create("a"), null], [5, 6, create("b"), created("1")]],
    [
      "an unanswered create that did so late",
      [0, null, create("a"), null],
      [1, 2, readKey, bound(null, null)],
      [3, 4, readKey, bound("1", "a")],
    ],
    [
      "two unanswered ones, of which one did",
      [0, null, create("a"), null],
      [0, null, create("b"), null],
      [3, 4, create("a"), conflict("1")],
    ],
  ];
  test.for(allowed)("allows %s", ([_what, ...lines]) => {
    expect(judge(lines)).toEqual([]);
  });
});

test("a refusal tells the register, the calls that were placed and the ones that could not be", () => {
  const [text] = judge([
    [0, 1_000_000, create("a"), created("1")],
    [2_000_000, 3_000_000, create("a"), created("2")],
  ]);
  expect(text).toMatch(/^key k: no order of its calls explains the answers\./);
  expect(text).toContain('0.000 ms to 1.000 ms, client 0 at server 0: {"kind":"create"');
  expect(text?.split("None of these can come next")[1]).toContain('{"kind":"created","job":"2"}');
});
