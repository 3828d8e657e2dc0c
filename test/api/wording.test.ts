/** Names in messages: quoted as JSON, and never more of them than one reads. */
import { expect, it } from "vitest";
import { listed, quoted } from "../../src/graphql/wording.ts";

it("a list of names says how many more there are than it shows", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `op${index}`);
  expect(listed([])).toBe("none");
  expect(listed(names(2))).toBe('"op0", "op1"');
  expect(listed(names(20))).not.toContain("more");
  expect(listed(names(500))).toMatch(/^"op0", .*"op19" and 480 more$/);
  expect(listed(names(500)).length).toBeLessThan(200);
});

it("a name is shown cut and well formed", () => {
  expect(quoted("x".repeat(500))).toBe(`"${"x".repeat(100)}…"`);
  expect(quoted('a"\ud800')).toBe('"a\\"\ufffd"');
});
