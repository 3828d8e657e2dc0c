/** Reads Markdown into flat blocks for the typesetter. It lays nothing out, and HTML gives its text, not its looks. */
import MarkdownIt, { type Token } from "markdown-it";
import type { Alignment, Block, BlockContent, Nest, Span } from "./document-blocks.ts";

const DEEPEST_NESTING = 100;
const markdown = new MarkdownIt("default", { html: true });
markdown.set({ maxNesting: DEEPEST_NESTING });

/** Both patterns stop at the first sign that they do not fit: input made to trip them costs no more than its length. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<[^<>]*>/g;
const SHOWN_ADDRESS = /^(?:https?|ftp):\/\//i;
const TASK = /^\[([ xX])\] /;

function parseInline(tokens: Token[]): Span[] {
  const spans: Span[] = [];
  let bold = 0;
  let italic = 0;
  let struck = 0;
  let link: { href: string; from: number } | null = null;
  const add = (text: string, extra: Partial<Span> = {}): void => {
    if (text === "") return;
    const style: Span = { text, bold: bold > 0, italic: italic > 0, struck: struck > 0, link: link !== null };
    spans.push({ ...style, ...extra });
  };
  for (const token of tokens) {
    if (token.type === "text") add(token.content);
    else if (token.type === "softbreak") add(" ");
    else if (token.type === "hardbreak") add("\n");
    else if (token.type === "code_inline") add(token.content, { code: true });
    else if (token.type === "image") {
      add(`[image: ${token.content || "no description"}]`, { italic: true, muted: true });
    } else if (token.type === "html_inline") add(/^<br\b/i.test(token.content) ? "\n" : "");
    else if (token.type === "strong_open") bold += 1;
    else if (token.type === "strong_close") bold -= 1;
    else if (token.type === "em_open") italic += 1;
    else if (token.type === "em_close") italic -= 1;
    else if (token.type === "s_open") struck += 1;
    else if (token.type === "s_close") struck -= 1;
    else if (token.type === "link_open") link = { href: String(token.attrGet("href") ?? ""), from: spans.length };
    else if (token.type === "link_close" && link !== null) {
      const inside = spans.slice(link.from);
      const href = link.href;
      link = null;
      // Paper cannot be clicked, so the address is spelled out, unless it is the text or stands behind a mere badge.
      const told = inside.map((span) => span.text).join("") === href || inside.every((span) => span.muted);
      if (SHOWN_ADDRESS.test(href) && !told) add(` (${href})`, { muted: true });
    } else add(token.content);
  }
  return spans;
}

function parseHtml(html: string): Span[] {
  const text = html.replace(COMMENT, "").replace(TAG, " ").replace(/\s+/g, " ").trim();
  return parseInline(markdown.parseInline(text, {})[0]?.children ?? []);
}

function readAlignment(token: Token): Alignment {
  const style = String(token.attrGet("style") ?? "");
  if (style.includes("center")) return "center";
  return style.includes("right") ? "right" : "left";
}

/** Turns "[x] done" at the start of a list item into the box that it stands for. */
function readTask(spans: Span[]): { marker: string | null; spans: Span[] } {
  const [first, ...others] = spans;
  const match = first && !first.code ? TASK.exec(first.text) : null;
  if (!first || !match) return { marker: null, spans };
  return { marker: match[1] === " " ? "☐" : "☑", spans: [{ ...first, text: first.text.slice(4) }, ...others] };
}

/** Null where blocks are nested so deeply that the parser would leave their text out: nobody wrote that to be read. */
export function parseMarkdown(text: string): Block[] | null {
  const blocks: Block[] = [];
  const nesting: Nest[] = [];
  const lists: Array<{ ordered: boolean; next: number }> = [];
  const sourceLines = text.split("\n");
  let marker: string | null = null;
  let table: Extract<BlockContent, { kind: "table" }> | null = null;
  let row: Span[][] = [];
  let nests = 0;
  const add = (content: BlockContent, tight = false): void => {
    blocks.push({ content, nesting: [...nesting], marker, tight });
    marker = null;
  };
  const open = (kind: Nest["kind"]): void => {
    nests += 1;
    nesting.push({ kind, id: nests });
  };
  const tokens = markdown.parse(text, {});
  if (tokens.some((token) => token.level >= DEEPEST_NESTING - 2)) return null;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    if (token.type === "bullet_list_open") lists.push({ ordered: false, next: 0 });
    else if (token.type === "ordered_list_open") {
      lists.push({ ordered: true, next: Number(token.attrGet("start") ?? 1) });
    } else if (token.type === "bullet_list_close" || token.type === "ordered_list_close") lists.pop();
    else if (token.type === "list_item_open") {
      open("item");
      const list = lists.at(-1);
      marker = list?.ordered ? `${list.next}.` : lists.length % 2 === 1 ? "•" : "–";
      if (list) list.next += 1;
    } else if (token.type === "blockquote_open") open("quote");
    else if (token.type === "list_item_close" || token.type === "blockquote_close") {
      // An item may be empty: its bullet is printed all the same.
      if (marker !== null && token.type === "list_item_close") add({ kind: "paragraph", spans: [] }, true);
      nesting.pop();
    } else if (token.type === "hr") add({ kind: "rule" });
    else if (token.type === "fence" || token.type === "code_block") add({ kind: "code", text: token.content });
    else if (token.type === "html_block") {
      const spans = parseHtml(token.content);
      if (spans.length > 0) add({ kind: "paragraph", spans });
    } else if (token.type === "table_open") {
      const source = sourceLines.slice(token.map?.[0] ?? 0, token.map?.[1] ?? 0).join("\n");
      table = { kind: "table", alignments: [], head: [], rows: [], source };
    } else if (token.type === "th_open") table?.alignments.push(readAlignment(token));
    else if (token.type === "tr_open") row = [];
    else if (token.type === "tr_close" && table) {
      if (table.head.length === 0) table.head = row;
      else table.rows.push(row);
    } else if (token.type === "table_close" && table) {
      add(table);
      table = null;
    } else if (token.type === "inline") {
      const spans = parseInline(token.children ?? []);
      if (table) row.push(spans);
      else if (before?.type === "heading_open") add({ kind: "heading", level: Number(before.tag.slice(1)), spans });
      else if (marker === null || lists.at(-1)?.ordered) add({ kind: "paragraph", spans }, before?.hidden ?? false);
      else {
        const task = readTask(spans);
        marker = task.marker ?? marker;
        add({ kind: "paragraph", spans: task.spans }, before?.hidden ?? false);
      }
    }
  });
  return blocks;
}
