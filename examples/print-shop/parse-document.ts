/** Reads a document, in either format, into blocks. It cleans line ends only: strange characters are the type case's business. */
import type { Block } from "./document-blocks.ts";
import { parseMarkdown } from "./parse-markdown.ts";

export type DocumentFormat = "text" | "markdown";

/** Long texts are set in portions, so that a server breathes between them. */
const LINES_PER_LISTING = 50;

function parseText(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let from = 0; from < lines.length; from += LINES_PER_LISTING) {
    const portion = lines.slice(from, from + LINES_PER_LISTING).join("\n");
    blocks.push({ content: { kind: "listing", text: portion }, nesting: [], marker: null, tight: true });
  }
  return blocks;
}

export function parseDocument(text: string, format: DocumentFormat): Block[] {
  // A lone half of a surrogate pair becomes U+FFFD here: fonts and PDF have no way to show it.
  const clean = text
    .toWellFormed()
    .replace(/^\ufeff/, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n");
  const parsed = format === "markdown" ? parseMarkdown(clean) : null;
  const blocks = clean.trim() === "" ? [] : (parsed ?? parseText(clean.trimEnd()));
  if (blocks.length > 0) return blocks;
  const spans = [{ text: "This document is empty.", italic: true, muted: true }];
  return [{ content: { kind: "paragraph", spans }, nesting: [], marker: null, tight: false }];
}
