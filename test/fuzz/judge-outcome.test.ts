/** The rule of the fuzz must be able to fail: what it finds wrong with an answer, over each transport, and what it lets pass. */
import { expect, it } from "vitest";
import { judgeOutcome } from "./judge-outcome.ts";

const errorOf = (extensions: object) => JSON.stringify({ errors: [{ message: "m", extensions }] });
const event = (json: string) => `:\n\nevent: next\ndata: ${json}\n\nevent: complete\ndata:\n\n`;

it.each([
  ["a status of the server's fault", 500, errorOf({ code: "BAD_REQUEST" })],
  ["a socket that broke", 1_011, ""],
  ["a socket closed for an internal error", 4_500, ""],
  ["a masked error", 200, errorOf({ code: "INTERNAL_SERVER_ERROR" })],
  ["a masked error in an event", 200, event(errorOf({ code: "INTERNAL_SERVER_ERROR" }))],
  ["a masked error on a socket", null, errorOf({ code: "INTERNAL_SERVER_ERROR" })],
  ["an error without a code", 200, errorOf({})],
  ["no JSON", 200, "<html>"],
  ["nothing at all", 200, ""],
  ["neither data nor errors", 200, "{}"],
])("%s is a fault", (_what, status, text) => {
  expect(judgeOutcome({ status, text }, false).faults).toHaveLength(1);
});

it("data, coded errors and what the client did wrong are none", () => {
  const data = '{"data":{"viewer":{"ownerId":"ann"},"job":null}}';
  expect(judgeOutcome({ status: 200, text: data }, false)).toEqual({ faults: [], answered: ["viewer"], codes: [] });
  expect(judgeOutcome({ status: null, text: errorOf({ code: "FORBIDDEN" }) }, false).faults).toEqual([]);
  expect(judgeOutcome({ status: 200, text: event(data) }, true).answered).toEqual(["viewer"]);
  expect(judgeOutcome({ status: 4_400, text: "" }, false).faults).toEqual([]);
  const separated = `{"data":{"viewer":{"ownerId":"a\u2028b\u2029"}}}`;
  expect(judgeOutcome({ status: 200, text: event(separated) }, true).answered).toEqual(["viewer"]);
});

it("a subscription may be silent, and must not break", () => {
  expect(judgeOutcome({ status: 200, text: ":\n\n" }, true).faults).toEqual([]);
  expect(judgeOutcome({ status: 200, text: event(errorOf({})) }, true).faults).toHaveLength(1);
});
