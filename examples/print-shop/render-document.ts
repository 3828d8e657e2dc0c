/** Renders a text or Markdown document into a real PDF. It keeps nothing and writes no file; the paper tray does that. */
import { createHash } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { Page } from "./document-blocks.ts";
import { drawPages } from "./draw-pages.ts";
import { layOutPages } from "./lay-out-pages.ts";
import { type DocumentFormat, parseDocument } from "./parse-document.ts";
import { openTypeCase } from "./type-case.ts";

export type RenderDocument = {
  name: string;
  text: string;
  format: DocumentFormat;
  /** Told of each page as it is drawn; the number of pages is known by then, since layout comes first. */
  onPage?: (page: number, total: number) => void | Promise<void>;
  signal?: AbortSignal;
};

export type RenderedDocument = {
  pdf: Uint8Array;
  pageCount: number;
  /** Of the PDF's bytes, in hexadecimal. The same document always gives the same. */
  sha256: string;
};

export async function renderDocument({
  name,
  text,
  format,
  onPage,
  signal,
}: RenderDocument): Promise<RenderedDocument> {
  signal?.throwIfAborted();
  const typeCase = openTypeCase();
  const pages: Page[] = [];
  // Other jobs share this thread: between two pages they get their turn, and an abort gets through.
  for (const page of layOutPages(parseDocument(text, format), typeCase)) {
    pages.push(page);
    await yieldToOthers();
    signal?.throwIfAborted();
  }
  const pdf = await drawPages({
    name,
    pages,
    typeCase,
    afterPage: async (page, total) => {
      await onPage?.(page, total);
      await yieldToOthers();
      signal?.throwIfAborted();
    },
  });
  return { pdf, pageCount: pages.length, sha256: createHash("sha256").update(pdf).digest("hex") };
}
