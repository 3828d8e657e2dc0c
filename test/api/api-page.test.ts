/** docs/api.md as a reader meets it: links that lead somewhere, words that are the schema's, examples that are the files', and nothing missing. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GraphQLField, type GraphQLInputField, isIntrospectionType, isSpecifiedScalarType } from "graphql";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { readDocuments } from "../../scripts/api-page/documents.ts";
import { meanings } from "../../scripts/api-page/error-codes.ts";
import { exampleIds } from "../../scripts/api-page/example-ids.ts";
import { typeId } from "../../scripts/api-page/names.ts";
import { apiPage } from "../../scripts/api-page/page.ts";
import { buildOnejobSchema } from "../../src/graphql/schema.ts";
import { kindOf } from "../../src/store/ids.ts";
import { listFiles } from "../architecture/list-files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(`${root}docs/api.md`, "utf8");
const schema = buildOnejobSchema();
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);
type Described = { readonly description?: string | null | undefined };

const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);

const html = new MarkdownIt({ html: true }).render(page);
const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
const plain = (text: string) => text.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
const read = plain(
  html
    .replaceAll(/<\/?(a|code|strong)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity),
);

const ids = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
/** The anchors that GitHub makes of headings. */
const slugs = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title.toLowerCase().replaceAll(" ", "-"));

describe("the page", () => {
  it("is the one that the schema and the documents give now", async () => {
    expect(`${(await apiPage(schema, root)).trimEnd()}\n`).toBe(page);
  });

  it("has no link that leads nowhere, and no anchor twice", () => {
    const targets = new Set([...ids, ...slugs]);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(300);
    expect(links.filter((target) => !targets.has(target))).toEqual([]);
    expect([...ids].toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(ids.filter((id) => slugs.includes(id))).toEqual([]);
  });

  it("describes every type, once", () => {
    const wanted = types.filter((type) => !roots.has(type as never)).map(typeId);
    expect(ids.filter((id) => id.startsWith("type-")).toSorted()).toEqual(wanted.toSorted());
  });

  it("has every description of the schema, to be read as it is written there", () => {
    const described = types.flatMap((type): readonly Described[] => {
      const values = "getValues" in type ? type.getValues() : [];
      const fields =
        "getFields" in type ? Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()) : [];
      return [type, ...values, ...fields, ...fields.flatMap((field) => ("args" in field ? field.args : []))];
    });
    const texts = described.flatMap(({ description }) => (description ? [plain(description)] : []));
    expect(texts.length).toBeGreaterThan(150);
    // A field below the roots shows its arguments with their types and defaults alone.
    expect(texts.filter((text) => !read.includes(text))).toEqual([]);
  });

  it("has in each row of a table as many cells as the table has columns", () => {
    const rows = page.split("\n").map((line) => (line.startsWith("|") ? line.split(/(?<!\\)\|/).length : 0));
    const uneven = rows.flatMap((cells, line) =>
      line > 0 && cells > 0 && rows[line - 1] && rows[line - 1] !== cells ? [line + 1] : [],
    );
    expect(uneven).toEqual([]);
  });
});

describe("an example of the page", () => {
  const { byField, fragments } = readDocuments(`${root}schema/operations`);

  it.each([...byField.values()])(
    "$name is its file, with the fragments that the page has",
    ({ name, operation, fragments: own }) => {
      const file = readFileSync(`${root}schema/operations/${name}.graphql`, "utf8");
      const shown = [operation, ...own.map((fragment) => fragments.get(fragment) ?? "")];
      expect(`${shown.join("\n\n")}\n`).toBe(file);
      for (const text of shown) expect(page).toContain(`\`\`\`graphql\n${text}\n\`\`\``);
    },
  );

  it("shows an id of each type that has one", () => {
    const node = schema.getType("Node");
    const named = types.filter((type) => "getInterfaces" in type && type.getInterfaces().some((one) => one === node));
    expect(Object.keys(exampleIds).toSorted()).toEqual(named.map(({ name }) => name).toSorted());
    for (const id of Object.values(exampleIds)) expect(kindOf(id), id).not.toBeNull();
  });
});

describe("the codes of GraphQL errors", () => {
  const given = /(?:\bcode: |codedError\(\s*|giveCode\([^"]*|answerErrors\([^"]*)"([A-Z_]+)"(?: : "([A-Z_]+)")?/g;
  const sources = listFiles(`${root}src`).filter(({ path }) => /^src\/(server\/|graphql\/errors\.ts)/.test(path));
  const codes = sources.flatMap(({ text }) =>
    [...text.matchAll(given)].flatMap(([, ...found]) => found.filter(Boolean)),
  );

  it("are explained on the page, each that the sources give, and no other", () => {
    // Yoga itself answers a body over the limit.
    const known = new Set([...codes, "REQUEST_ENTITY_TOO_LARGE"]);
    expect(Object.keys(meanings).toSorted()).toEqual([...known].toSorted());
    for (const code of known) expect(page).toMatch(new RegExp(`^\\| \`${code}\` \\| .+ \\|$`, "m"));
  });
});
