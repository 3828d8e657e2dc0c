/** What the pages hold: every character of the document, in full, between the margins. It opens no PDF. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Mark } from "../../examples/print-shop/document-blocks.ts";
import { layOutPages } from "../../examples/print-shop/lay-out-pages.ts";
import { MARGIN, PAPER } from "../../examples/print-shop/page-style.ts";
import { type DocumentFormat, parseDocument } from "../../examples/print-shop/parse-document.ts";
import { openTypeCase } from "../../examples/print-shop/type-case.ts";

const SENTENCE = "One job per intent, whatever the network, the provider or the workers do. ";
const SAMPLE = [
  "# Title\n\nText with **bold**, *italic*, `code`, ~~struck~~ and [a link](https://example.org/).",
  "1. one\n2. two\n   - nested\n\n- [x] done\n- [ ] open",
  "> quote\n>\n> > deeper\n\n---",
  "```ts\nconst a = 1;\n```",
  "| a | b |\n| --- | ---: |\n| 1 | 2 |",
  SENTENCE.repeat(20),
].join("\n\n");

function layOut(text: string, format: DocumentFormat = "markdown"): Mark[][] {
  return Array.from(layOutPages(parseDocument(text, format), openTypeCase()), (page) => page.marks);
}

function readMarks(text: string, format: DocumentFormat = "markdown"): string {
  const marks = layOut(text, format).flat();
  return marks
    .map((mark) => (mark.kind === "text" ? mark.text : ""))
    .join(" ")
    .replace(/\s+/g, " ");
}

function expectEverythingOnPaper(text: string, format: DocumentFormat): void {
  const typeCase = openTypeCase();
  for (const page of layOut(text, format)) {
    const baselines = page.filter((mark) => mark.kind === "text").map((mark) => mark.y);
    baselines.sort((one, other) => one - other);
    baselines.forEach((y, index) => {
      const step = y - (baselines[index - 1] ?? y);
      expect(step < 1.5 || step > 8, `lines ${step} points apart`).toBe(true);
    });
  }
  for (const mark of layOut(text, format).flat()) {
    if (mark.kind !== "text") continue;
    const right = mark.x + typeCase.width(mark.text.trimEnd(), mark.font, mark.size);
    expect(right, `right end of ${JSON.stringify(mark.text)}`).toBeLessThan(PAPER.width - MARGIN.right + 1);
    expect(mark.x, `left end of ${JSON.stringify(mark.text)}`).toBeGreaterThan(MARGIN.left / 2);
    expect(mark.y).toBeGreaterThan(MARGIN.top);
    expect(mark.y).toBeLessThan(PAPER.height - MARGIN.bottom);
  }
}

describe("nothing is lost", () => {
  test.each(["Grüße", "Ελληνικά", "Русский", "Tiếng", "ąęłżź", "→", "∞", "שלום", "مرحبا", "┌─┐", "e\u0301"])(
    "%s is printed as it is, in Markdown and in text",
    (word) => {
      // A word of two fonts is drawn in pieces, without a gap.
      expect(readMarks(word).replaceAll(" ", "")).toContain(word);
      expect(readMarks(word, "text").replaceAll(" ", "")).toContain(word);
    },
  );

  test("an empty document says so", () => {
    expect(readMarks(" \n\t\n")).toBe("This document is empty.");
  });

  test("characters that no font holds are spelled out", () => {
    expect(readMarks("中 🚀")).toBe("[U+4E2D] [U+1F680]");
  });

  test("control characters and lone surrogates are shown, not obeyed", () => {
    const text = "a\u0000b\u001b[31mc\u007f\ud800d\u0085e";
    expect(readMarks(text, "text").replaceAll(" ", "")).toBe("a[U+0000]b[U+001B][31mc[U+007F]\ufffdd[U+0085]e");
  });

  test("every kind of line end is one", () => {
    const [page = []] = layOut("a\r\nb\rc\u2028d\ne", "text");
    expect(new Set(page.map((mark) => mark.y)).size).toBe(5);
  });

  test.each([
    ["an HTML block gives its text", "<div align=center><b>inside</b> &amp; more</div>", "inside & more"],
    ["an address is spelled out behind its link", "[text](https://a.example/b)", "text (https://a.example/b)"],
    ["an address that is its own text is printed once", "<https://a.example>", "https://a.example"],
    ["an image gives its description", "![a cat](cat.png)", "[image: a cat]"],
    ["an empty list item keeps its bullet", "-\n- b", "• b •"],
    ["an ordered list starts where it says", "7. a\n8. b", "a 7. b 8."],
    ["tasks have boxes", "- [x] a\n- [ ] b", "a ☑ b ☐"],
    ["entities are what they stand for", "&copy; &#x263A;", "© ☺"],
    ["an unclosed fence runs to the end", "```\na\nb", "a b"],
    ["an unclosed comment hides the rest, as in HTML", "a\n\n<!-- b", "a"],
    ["unknown syntax stays as written", "a :smile: $x$ [^1]", "a :smile: $x$ [^1]"],
  ])("%s", (_, markdown, printed) => {
    const words = (text: string): string[] => text.split(" ").toSorted();
    expect(words(readMarks(markdown).trim())).toEqual(words(printed));
  });

  test("a table too wide for paper is printed as its source", () => {
    const row = (cell: string): string => `|${`${cell}|`.repeat(40)}`;
    expect(readMarks(`${row("h")}\n${row("-")}\n${row("c")}`)).toContain("|-|-|-|");
  });

  test("nesting too deep for Markdown is printed as text", () => {
    expect(readMarks(`${"> ".repeat(2000)}deep`)).toContain("deep");
  });
});

describe("nothing is cut, nothing overlaps the margins", () => {
  const word = "Donaudampfschifffahrtsgesellschaft".repeat(30);
  test.each([
    ["the sample", SAMPLE],
    ["a very long word", word],
    ["a very long word in a list, a quote and a heading", `- > ${word}\n\n# ${word}`],
    ["a very long line of code", `\`\`\`\n${"const a = 1; ".repeat(100)}\n\t${word}\n\`\`\``],
    ["very long inline code", `a \`${word}\` b`],
    ["a long word in a table", `| a | b |\n|-|-|\n| ${word} | ${SENTENCE.repeat(200)} |`],
    ["a deep list", Array.from({ length: 40 }, (_, depth) => `${"  ".repeat(depth)}- ${SENTENCE}`).join("\n")],
    ["wide characters without spaces", "中文".repeat(2000)],
    ["one letter under a thousand accents", `a${"\u0301".repeat(1000)} b`],
  ])("%s stays on the paper", (_, text) => {
    expectEverythingOnPaper(text, "markdown");
    expectEverythingOnPaper(text, "text");
  });

  test("whatever the text, it stays on the paper", { timeout: 60_000 }, () => {
    const pieces = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("# ", "- ", "> ", "`", "```\n", "|", "\n", "\n\n", "*", "    ", "[", "](", "<"),
    );
    const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, fc.constantFrom("text", "markdown"), (text, format) => expectEverythingOnPaper(text, format)),
      { numRuns: 300 },
    );
  });
});

describe("where pages end", () => {
  const linesOf = (page: Mark[]): string[] => page.flatMap((mark) => (mark.kind === "text" ? [mark.text] : []));

  test("a heading is never the last line of a page", () => {
    for (let before = 1; before < 60; before += 1) {
      const pages = layOut(`${"line\n\n".repeat(before)}# One\n\n## Two\n\nafter`);
      expect(linesOf(pages[0] ?? []).at(-1)).not.toMatch(/One|Two/);
    }
  });

  test("a paragraph leaves no single line behind or ahead", () => {
    for (let before = 20; before < 40; before += 1) {
      const pages = layOut(`${"line\n\n".repeat(before)}${SENTENCE.repeat(9)}`);
      if (pages.length === 1) continue;
      const [left, taken] = pages.map((page) => linesOf(page).filter((line) => line !== "line").length);
      expect([left, taken]).not.toContain(1);
    }
  });

  test("a table's head is repeated on each of its pages", () => {
    const pages = layOut(`| head |\n|---|\n${"| cell |\n".repeat(120)}`);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(linesOf(page).filter((line) => line === "head")).toHaveLength(1);
    expect(pages.flatMap(linesOf).filter((line) => line === "cell")).toHaveLength(120);
  });

  test("a table cell longer than a page goes on overleaf", () => {
    const pages = layOut(`| a | b |\n|---|---|\n| ${SENTENCE.repeat(150)} | short |`);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(linesOf).join(" ").split("intent").length - 1).toBe(150);
  });

  test("no page is left empty", () => {
    for (const count of [44, 45, 46, 47, 90, 92]) {
      for (const page of layOut("x\n".repeat(count), "text")) expect(linesOf(page)).not.toEqual([]);
    }
  });
});
