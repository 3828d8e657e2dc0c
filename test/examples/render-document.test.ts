/** What the print shop's renderer promises: real PDFs, the same bytes for the same document, told page by page. What is on the pages is tested elsewhere. */
import { describe, expect, test } from "vitest";
import type { DocumentFormat } from "../../examples/print-shop/parse-document.ts";
import { renderDocument } from "../../examples/print-shop/render-document.ts";

const SENTENCE = "One job per intent, whatever the network, the provider or the workers do. ";
const SAMPLE = [
  "# Title\n\nText with **bold**, *italic*, `code`, ~~struck~~ and [a link](https://example.org/).",
  "1. one\n2. two\n   - nested\n\n- [x] done\n- [ ] open",
  "> quote\n>\n> > deeper\n\n---",
  "```ts\nconst a = 1;\n```",
  "| a | b |\n| --- | ---: |\n| 1 | 2 |",
  SENTENCE.repeat(20),
].join("\n\n");

function render(text: string, format: DocumentFormat = "markdown") {
  return renderDocument({ name: "README.md", text, format });
}

/** Counts the page objects in the file itself, as a reader of PDFs would. */
function countPageObjects(pdf: Uint8Array): number {
  return (
    Buffer.from(pdf)
      .toString("latin1")
      .match(/\/Type \/Page\b/g)?.length ?? 0
  );
}

describe("the file", () => {
  test("the same document gives the same bytes, also after another one", async () => {
    const first = await render(SAMPLE);
    await render("# Another");
    const second = await render(SAMPLE);
    expect(Buffer.from(second.pdf).equals(Buffer.from(first.pdf))).toBe(true);
    expect(second.sha256).toBe(first.sha256);
    expect(first.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test("another text, name or format gives other bytes", async () => {
    const { sha256 } = await render("a *b*");
    expect((await render("a *c*")).sha256).not.toBe(sha256);
    expect((await render("a *b*", "text")).sha256).not.toBe(sha256);
    expect((await renderDocument({ name: "B.md", text: "a *b*", format: "markdown" })).sha256).not.toBe(sha256);
  });

  test("it is a PDF that holds as many pages as it says", async () => {
    const { pdf, pageCount } = await render(`${SENTENCE.repeat(10)}\n\n`.repeat(30));
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe("%PDF-");
    expect(Buffer.from(pdf.subarray(-6)).toString()).toContain("%%EOF");
    expect(pageCount).toBeGreaterThan(3);
    expect(countPageObjects(pdf)).toBe(pageCount);
  });

  test("an empty document is one page that says so", async () => {
    for (const text of ["", " \n\t\n"]) {
      expect((await render(text)).pageCount).toBe(1);
    }
  });

  test("two hundred pages take seconds, not minutes", { timeout: 60_000 }, async () => {
    const { pdf, pageCount } = await render(`## Part\n\n${SAMPLE}\n\n`.repeat(300));
    expect(pageCount).toBeGreaterThan(200);
    expect(countPageObjects(pdf)).toBe(pageCount);
  });
});

describe("pages as they are drawn", () => {
  const long = `${SENTENCE}\n\n`.repeat(120);

  test("onPage is told of each page once, in order, with the total", async () => {
    const told: Array<[number, number]> = [];
    const onPage = (page: number, total: number): void => void told.push([page, total]);
    const { pageCount } = await renderDocument({ name: "a", text: long, format: "markdown", onPage });
    expect(pageCount).toBeGreaterThan(2);
    expect(told).toEqual(Array.from({ length: pageCount }, (_, index) => [index + 1, pageCount]));
  });

  test("a signal that is aborted already prints nothing", async () => {
    const signal = AbortSignal.abort(new Error("cancelled before"));
    const told: number[] = [];
    const printing = renderDocument({
      name: "a",
      text: "b",
      format: "text",
      signal,
      onPage: (page) => void told.push(page),
    });
    await expect(printing).rejects.toThrow("cancelled before");
    expect(told).toEqual([]);
  });

  test("an abort between two pages stops before the next", async () => {
    const abort = new AbortController();
    const told: number[] = [];
    const onPage = async (page: number): Promise<void> => {
      told.push(page);
      if (page === 2) abort.abort(new Error("paper jam"));
    };
    const printing = renderDocument({ name: "a", text: long, format: "markdown", onPage, signal: abort.signal });
    await expect(printing).rejects.toThrow("paper jam");
    expect(told).toEqual([1, 2]);
  });

  test("what onPage throws ends the print", async () => {
    const onPage = (): void => {
      throw new Error("out of ink");
    };
    await expect(renderDocument({ name: "a", text: "b", format: "text", onPage })).rejects.toThrow("out of ink");
  });
});
