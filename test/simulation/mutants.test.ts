/** The mutants' patches fit the sources as they stand. That the simulation catches each is shown by `npm run simulate -- --mutants`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPatch, type Patch, withoutTriggers } from "./breed-mutant.ts";
import { repository } from "./load-system.ts";
import { mutants } from "./mutants.ts";

function patched(patches: readonly Patch[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const patch of patches) {
    const text = texts.get(patch.file) ?? readFileSync(join(repository, patch.file), "utf8");
    texts.set(patch.file, applyPatch(text, patch));
  }
  return texts;
}

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  "the patches of %s change something",
  (_name, { patches }) => {
    for (const [file, text] of patched(patches)) expect(text).not.toBe(readFileSync(join(repository, file), "utf8"));
  },
);

test("the triggers are taken away where a mutant is bred", () => {
  const [text] = patched(withoutTriggers).values();
  expect(text).not.toMatch(/\n {2}RAISE EXCEPTION/);
});

test("a text that does not stand there exactly once is refused", () => {
  const patch = { file: "a.ts", find: "x", replace: "y" };
  expect(() => applyPatch("no such letter", patch)).toThrow(/0 times/);
  expect(() => applyPatch("x and x", patch)).toThrow(/2 times/);
});

test("no two mutants have one name", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});
