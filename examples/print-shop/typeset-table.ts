/** Sets a simple table: column widths, cells, hairlines. A table too wide for the page is refused, for its caller to print as source. */
import { breakLines, type Line } from "./break-lines.ts";
import type { BlockContent, Mark, Row, Slab, Span } from "./document-blocks.ts";
import { COLOR, CONTENT_WIDTH, TABLE } from "./page-style.ts";
import { setLineMarks, sizeFor } from "./set-line.ts";
import type { TypeCase } from "./type-case.ts";

type Table = Extract<BlockContent, { kind: "table" }>;

function breakCell(spans: Span[], maxWidth: number, typeCase: TypeCase): Line[] {
  return breakLines(spans, { typeCase, sizeOf: sizeFor(TABLE.size), maxWidth });
}

const sum = (widths: number[]): number => widths.reduce((total, width) => total + width, 0);
/** Unlike Math.max it takes lists of any length: a cell may hold more lines than a call may have arguments. */
const largest = (numbers: number[]): number => numbers.reduce((most, number) => Math.max(most, number), 0);

/** Every column gets its longest word if that fits, then the rest is dealt out by how much more each would like. */
function findColumnWidths(rows: Span[][][], columns: number, available: number, typeCase: TypeCase): number[] | null {
  const padding = 2 * TABLE.cellPadding;
  if (available / columns < TABLE.narrowestColumn) return null;
  const wanted = Array.from({ length: columns }, (): number => TABLE.narrowestColumn);
  const needed = Array.from({ length: columns }, (): number => TABLE.narrowestColumn);
  for (const row of rows) {
    for (let column = 0; column < columns; column += 1) {
      const spans = row[column] ?? [];
      const natural = largest(breakCell(spans, available, typeCase).map((line) => line.width));
      const words = spans.flatMap((span) => span.text.split(/\s+/).map((text) => ({ ...span, text })));
      const longest = largest(words.map((word) => breakCell([word], available, typeCase)[0]?.width ?? 0));
      wanted[column] = Math.max(wanted[column] ?? 0, natural + padding);
      needed[column] = Math.max(needed[column] ?? 0, longest + padding + 0.5);
    }
  }
  if (sum(wanted) <= available) return wanted.map((width) => width + 0.5);
  const fair = available / columns;
  // Where even the longest words do not fit side by side, the widest columns give way and cut theirs.
  const floor = sum(needed) <= available ? needed : needed.map((width) => Math.min(width, fair));
  const rest = available - sum(floor);
  const wishes = wanted.map((width, column) => Math.max(0, width - (floor[column] ?? 0)));
  const allWishes = sum(wishes);
  return floor.map((width, column) => width + (allWishes === 0 ? 0 : (rest * (wishes[column] ?? 0)) / allWishes));
}

function hairline(x: number, y: number, width: number, height: number): Mark {
  return { kind: "box", x, y, width, height, radius: 0, color: COLOR.hairline };
}

/** One table row becomes as many rows of paper as its tallest cell has lines, so that a page may end within a huge one. */
function setTableRow(
  cells: Span[][],
  widths: number[],
  left: number,
  table: Table,
  isHead: boolean,
  typeCase: TypeCase,
): Row[] {
  const total = sum(widths);
  const lines = widths.map((width, column) => {
    const spans = (cells[column] ?? []).map((span) => (isHead ? { ...span, bold: true } : span));
    return breakCell(spans, width - 2 * TABLE.cellPadding + 0.1, typeCase);
  });
  const height = largest(lines.map((cell) => cell.length));
  return Array.from({ length: height }, (_, index): Row => {
    const above = index === 0 ? TABLE.rowPadding : 0;
    const below = index === height - 1 ? TABLE.rowPadding : 0;
    const baseline = above + TABLE.leading / 2 + TABLE.size * 0.33;
    const marks: Mark[] = [];
    let x = left;
    widths.forEach((width, column) => {
      const line = lines[column]?.[index];
      const alignment = table.alignments[column] ?? "left";
      const place = { x: x + TABLE.cellPadding, baseline, width: width - 2 * TABLE.cellPadding };
      if (line) marks.push(...setLineMarks(line, { ...place, alignment, ink: COLOR.ink, tintCode: true }));
      x += width;
    });
    const rowHeight = above + TABLE.leading + below;
    if (index === height - 1) marks.push(hairline(left, rowHeight - 0.5, total, isHead ? 1 : 0.5));
    return { height: rowHeight, marks };
  });
}

/** The tallest row that is kept whole; beyond it, splitting looks better than the hole it would leave. */
const TALLEST_WHOLE_ROW = 12;

export function typesetTable(table: Table, indent: number, typeCase: TypeCase): Partial<Slab> | null {
  const columns = table.head.length;
  const widths = findColumnWidths([table.head, ...table.rows], columns, CONTENT_WIDTH - indent, typeCase);
  if (widths === null) return null;
  const head = setTableRow(table.head, widths, indent, table, true, typeCase);
  const rows = [...head];
  const unbroken: Array<[number, number]> = [];
  for (const cells of table.rows) {
    const set = setTableRow(cells, widths, indent, table, false, typeCase);
    if (set.length <= TALLEST_WHOLE_ROW) unbroken.push([rows.length, rows.length + set.length - 1]);
    for (const row of set) rows.push(row);
  }
  // The head never stands alone at the foot of a page.
  const first = unbroken[0];
  if (first?.[0] === head.length) first[0] = 0;
  return { rows, unbroken, repeated: head.length > TALLEST_WHOLE_ROW ? [] : head };
}
