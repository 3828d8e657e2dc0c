/** What README tells a reader to paste and to type is there: its documents fit the schema, its commands and links exist. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parse, validate } from "graphql";
import { expect, test } from "vitest";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";

const root = new URL("../../", import.meta.url);
const readme = await readFile(new URL("README.md", root), "utf8");

function blocksOf(language: string): string[] {
  return [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = ""]) => text);
}

test("README's first two commands install and run the demo, and install and run the tests", () => {
  expect(blocksOf("sh").slice(0, 2)).toEqual(["npm ci && npm run demo\n", "npm ci && npm test\n"]);
});

test("each GraphQL document of README is valid", () => {
  const documents = blocksOf("graphql");
  expect(documents.length).toBeGreaterThanOrEqual(2);
  for (const text of documents) expect(validate(buildOnejobSchema(), parse(text)), text).toEqual([]);
});

test("each npm script that README names exists", async () => {
  const { scripts } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { scripts: object };
  const named = [...readme.matchAll(/npm (?:run )?(test|start|(?<=run )[\w:]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(Object.keys(scripts), name).toContain(name);
});

test("each file that README links to exists", () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(0);
  for (const path of links) expect(existsSync(new URL(path, root)), path).toBe(true);
});
