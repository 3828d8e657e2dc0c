/** Sets one block into a slab: rows of finished marks that may be stacked on pages. Where pages end is not its business. */
import { breakLines } from "./break-lines.ts";
import { cutToWidth, type Fragment } from "./cut-to-width.ts";
import type { Block, Mark, Nest, Row, Slab, Span } from "./document-blocks.ts";
import { BODY, CODE, COLOR, CONTENT_WIDTH, DEEPEST_INDENT, GAP, HEADINGS, INDENT, LISTING } from "./page-style.ts";
import { setLineMarks, sizeFor } from "./set-line.ts";
import type { TypeCase } from "./type-case.ts";
import { typesetTable } from "./typeset-table.ts";

function indentOf(nesting: Nest[]): number {
  return Math.min(
    DEEPEST_INDENT,
    nesting.reduce((sum, nest) => sum + INDENT[nest.kind], 0),
  );
}

function gapBefore(block: Block, previous: Block | null): number {
  if (previous === null || block.content.kind === "listing") return 0;
  const heading = block.content.kind === "heading" ? HEADINGS[block.content.level - 1] : undefined;
  const above = previous.content.kind === "heading" ? HEADINGS[previous.content.level - 1] : undefined;
  if (heading && above) return heading.before * 0.6;
  if (heading) return heading.before;
  if (above) return GAP.tight + above.after;
  if (block.content.kind === "rule" || previous.content.kind === "rule") return GAP.block * 1.6;
  return block.tight && previous.tight ? GAP.tight : GAP.block;
}

/** No lone first or last line of a paragraph on a page: what printers call widows and orphans. */
function keepEdgesTogether(count: number): Array<[number, number]> {
  if (count <= 3) return [[0, count - 1]];
  return [
    [0, 1],
    [count - 2, count - 1],
  ];
}

type TextStyle = { size: number; leading: number; ink: string };

function setParagraph(spans: Span[], indent: number, style: TextStyle, typeCase: TypeCase): Row[] {
  const width = CONTENT_WIDTH - indent;
  const baseline = style.leading / 2 + style.size * 0.33;
  const place = { x: indent, baseline, width, alignment: "left", ink: style.ink, tintCode: true } as const;
  const lines = breakLines(spans, { typeCase, sizeOf: sizeFor(style.size), maxWidth: width });
  return lines.map((line) => ({ height: style.leading, marks: setLineMarks(line, place) }));
}

type CodeStyle = { size: number; leading: number; tabSize: number };

function expandTabs(line: string, tabSize: number): string {
  let column = 0;
  return line.replace(/[^\t]+|\t/g, (piece) => {
    const text = piece === "\t" ? " ".repeat(tabSize - (column % tabSize)) : piece;
    column += text.length;
    return text;
  });
}

/** Pieces that an earlier cut parted become one again, so that a new cut finds the spaces in them. */
function joinPieces(pieces: Fragment[]): Fragment[] {
  const joined: Fragment[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && last.font === piece.font && !last.missing && !piece.missing) last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

function setCode(text: string, x: number, width: number, style: CodeStyle, typeCase: TypeCase): Row[] {
  const span: Span = { text: "", code: true };
  const { size, leading } = style;
  const baseline = leading / 2 + size * 0.35;
  const turnIndent = size * 1.6;
  const rows: Row[] = [];
  for (const source of text.split("\n")) {
    const line = expandTabs(source, style.tabSize).trimEnd();
    const fragments = typeCase.split(line, span).map((run): Fragment => {
      const runSize = run.missing ? size * 0.8 : size;
      return { text: run.text, font: run.font, size: runSize, width: 0, x: 0, span, missing: run.missing };
    });
    const [first = [], ...overflow] = cutToWidth(fragments, { maxWidth: width, typeCase, preferSpaces: true });
    // What overflows is cut anew, for it stands further in, behind the sign that says "this is still the same line".
    const turned =
      overflow.length === 0
        ? []
        : cutToWidth(joinPieces(overflow.flat()), { maxWidth: width - turnIndent, typeCase, preferSpaces: true });
    [first, ...turned].forEach((parts, index) => {
      const start = x + (index === 0 ? 0 : turnIndent);
      let offset = 0;
      const placed = parts.map((part) => {
        const fragment = { ...part, x: offset };
        offset += part.width;
        return fragment;
      });
      const place = { x: start, baseline, width: 0, alignment: "left", ink: COLOR.ink, tintCode: false } as const;
      const marks = setLineMarks({ fragments: placed, width: offset, rightToLeft: false }, place);
      if (index > 0) {
        marks.push({ kind: "text", x, y: baseline, text: "↪", font: "mono", size: size * 0.9, color: COLOR.muted });
      }
      rows.push({ height: leading, marks });
    });
  }
  return rows;
}

function setMarker(marker: string, indent: number, typeCase: TypeCase): Mark[] {
  const baseline = BODY.leading / 2 + BODY.size * 0.33;
  const runs = typeCase.split(marker, { text: marker });
  const width = runs.reduce((sum, run) => sum + typeCase.width(run.text, run.font, BODY.size), 0);
  let x = indent - 5.5 - width;
  return runs.map((run) => {
    const mark: Mark = {
      kind: "text",
      x,
      y: baseline,
      text: run.text,
      font: run.font,
      size: BODY.size,
      color: COLOR.ink,
    };
    x += typeCase.width(run.text, run.font, BODY.size);
    return mark;
  });
}

export function typesetBlock(block: Block, previous: Block | null, typeCase: TypeCase): Slab {
  const { content, nesting, marker } = block;
  const indent = indentOf(nesting);
  const bars = nesting.flatMap((nest, depth) => {
    return nest.kind === "quote" ? [{ id: nest.id, x: indentOf(nesting.slice(0, depth)) + 2 }] : [];
  });
  const quoted = bars.length > 0;
  const slab: Slab = {
    gap: gapBefore(block, previous),
    rows: [],
    keepWithNext: false,
    unbroken: [],
    repeated: [],
    backdrop: null,
    quoteBars: bars,
  };
  if (content.kind === "heading") {
    const style = HEADINGS[content.level - 1] ?? HEADINGS[5];
    const ink = content.level > 5 ? COLOR.muted : COLOR.heading;
    const spans = content.spans.map((span) => ({ ...span, bold: true }));
    slab.rows = setParagraph(spans, indent, { ...style, ink }, typeCase);
    slab.keepWithNext = true;
    slab.unbroken = [[0, slab.rows.length - 1]];
  } else if (content.kind === "paragraph") {
    const ink = quoted ? COLOR.muted : COLOR.ink;
    slab.rows = setParagraph(content.spans, indent, { ...BODY, ink }, typeCase);
    slab.unbroken = keepEdgesTogether(slab.rows.length);
  } else if (content.kind === "code") {
    const style = { ...CODE, tabSize: 4 };
    const width = CONTENT_WIDTH - indent;
    slab.rows = setCode(content.text.trimEnd(), indent + CODE.padding, width - 2 * CODE.padding, style, typeCase);
    slab.backdrop = { x: indent, width, padding: CODE.padding * 0.8 };
    slab.unbroken = keepEdgesTogether(slab.rows.length);
  } else if (content.kind === "listing") {
    slab.rows = setCode(content.text, 0, CONTENT_WIDTH, { ...LISTING, tabSize: 8 }, typeCase);
  } else if (content.kind === "table") {
    const table = typesetTable(content, indent, typeCase);
    if (table === null) {
      return typesetBlock({ ...block, content: { kind: "code", text: content.source } }, previous, typeCase);
    }
    Object.assign(slab, table);
  } else {
    const line = { kind: "box", x: indent, y: 0, width: CONTENT_WIDTH - indent, height: 0.75, radius: 0 } as const;
    slab.rows = [{ height: 0.75, marks: [{ ...line, color: COLOR.hairline }] }];
  }
  if (marker !== null) {
    const top = slab.backdrop === null ? 0 : CODE.leading / 2 - BODY.leading / 2;
    const marks = setMarker(marker, indent, typeCase).map((mark) => ({ ...mark, y: mark.y + top }));
    slab.rows[0]?.marks.push(...marks);
  }
  return slab;
}
