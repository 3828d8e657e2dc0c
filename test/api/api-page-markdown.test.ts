/** The page's Markdown about a schema made to be awkward: pipes, angle brackets, several lines, defaults, deprecations, no description. */
import { buildSchema, type GraphQLInputObjectType, type GraphQLObjectType } from "graphql";
import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { argumentTable, fieldTable, inputTable } from "../../scripts/api-page/field-tables.ts";
import { typeSections } from "../../scripts/api-page/type-sections.ts";

const schema = buildSchema(`
  type Query {
    find(
      "One of a | b, see Map<K, V>"
      by: By = { mode: EXACT, words: ["a|b"], must: 1 }
      limit: Int! = 10
      name: String!
    ): Thing
  }
  """
  First line,
  second line.

  Another paragraph with \`code | and <T>\`.
  """
  type Thing {
    "Holds | pipes, List<Thing>,\\nand lines."
    of(first: Int = 3): [Thing!]!
    old: String @deprecated(reason: "Use of | instead.")
  }
  input By { mode: Mode! = EXACT, words: [String!], must: Int! }
  enum Mode { EXACT "Like <this>" LOOSE }
  scalar Any
  union Either = Thing
`);

const render = (markdown: string) => new MarkdownIt({ html: true }).render(markdown);
const cellsOf = (markdown: string) =>
  [...render(markdown).matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => cell),
  );
const find = schema.getQueryType()!.getFields()["find"]!;

it("keeps what belongs to a cell in it, and shows angle brackets as they are", () => {
  expect(cellsOf(argumentTable(find.args, null))[1]).toEqual([
    "<code>by</code>",
    '<a href="#type-by"><code>By</code></a>',
    "<code>{mode: EXACT, words: [&quot;a|b&quot;], must: 1}</code>",
    "One of a | b, see Map&lt;K, V&gt;",
  ]);
  expect(cellsOf(fieldTable(schema.getType("Thing") as GraphQLObjectType))[1]).toEqual([
    "<code>of(first: Int = 3)</code>",
    '<a href="#type-thing"><code>[Thing!]!</code></a>',
    "Holds | pipes, List&lt;Thing&gt;, and lines.",
  ]);
});

it("says of an argument and of an input field whether it is required, or what stands for it", () => {
  const defaults = (table: string) =>
    cellsOf(table)
      .slice(1)
      .map((cells) => `${cells[0]} ${cells[2]}`);
  expect(defaults(argumentTable(find.args, null)).slice(1)).toEqual([
    "<code>limit</code> <code>10</code>",
    "<code>name</code> required",
  ]);
  expect(defaults(inputTable(schema.getType("By") as GraphQLInputObjectType))).toEqual([
    "<code>mode</code> <code>EXACT</code>",
    "<code>words</code> ",
    "<code>must</code> required",
  ]);
});

it("says that a field is deprecated, and why", () => {
  expect(cellsOf(fieldTable(schema.getType("Thing") as GraphQLObjectType))[2]).toEqual([
    "<code>old</code>",
    "<code>String</code>",
    "<strong>Deprecated:</strong> Use of | instead.",
  ]);
});

it("keeps paragraphs, and code as it is", () => {
  const sections = render(typeSections(schema, () => ""));
  expect(sections).toContain(
    "<p>First line,\nsecond line.</p>\n<p>Another paragraph with <code>code | and &lt;T&gt;</code>.</p>",
  );
});

it("leaves a column out in which there is nothing, and no row", () => {
  expect(cellsOf(typeSections(schema, () => ""))).toContainEqual(["<code>LOOSE</code>", "Like &lt;this&gt;"]);
  expect(cellsOf(typeSections(buildSchema("type Query { mode: Mode } enum Mode { A B }"), () => ""))).toEqual([
    ["value"],
    ["<code>A</code>"],
    ["<code>B</code>"],
  ]);
});
