/** Stacks slabs on pages and decides where each page ends. It draws nothing; pages come one by one, so a caller may stop early. */
import type { Block, Mark, Page, Row, Slab } from "./document-blocks.ts";
import { COLOR, CONTENT_HEIGHT, MARGIN } from "./page-style.ts";
import type { TypeCase } from "./type-case.ts";
import { typesetBlock } from "./typeset-block.ts";

const sumHeights = (rows: Row[]): number => rows.reduce((sum, row) => sum + row.height, 0);

/** A run of headings is moved to the next page as one, up to this many: more would never fit anyhow. */
const MOST_KEPT_HEADINGS = 4;

/** Cuts a slab's rows into groups that no page end may split. */
function groupRows(slab: Slab): Row[][] {
  const groups: Row[][] = [];
  let next = 0;
  for (const [first, last] of [...slab.unbroken, [slab.rows.length, -1] as const]) {
    for (; next < first; next += 1) groups.push(slab.rows.slice(next, next + 1));
    if (last >= next) groups.push(slab.rows.slice(next, last + 1));
    next = Math.max(next, last + 1);
  }
  return groups;
}

class PageStack {
  #marks: Mark[] = [];
  #y = 0;
  #previousBars: Slab["quoteBars"] = [];

  get isFresh(): boolean {
    return this.#y === 0;
  }

  fits(height: number): boolean {
    return this.#y + height <= CONTENT_HEIGHT;
  }

  finish(): Page {
    const page = { marks: this.#marks };
    this.#marks = [];
    this.#y = 0;
    this.#previousBars = [];
    return page;
  }

  #placeRow(row: Row): void {
    const top = MARGIN.top + this.#y;
    for (const mark of row.marks) this.#marks.push({ ...mark, x: mark.x + MARGIN.left, y: mark.y + top });
    this.#y += row.height;
  }

  /** Backdrops and bars lie beneath the text, yet their height is known last: hence the insertion behind the fact. */
  #lieBeneath(index: number, slab: Slab, top: number, barsTop: number): void {
    const boxes: Mark[] = [];
    const box = { kind: "box", y: top + MARGIN.top, height: this.#y - top } as const;
    if (slab.backdrop) {
      const { x, width } = slab.backdrop;
      boxes.push({ ...box, x: x + MARGIN.left, width, radius: 4, color: COLOR.codeBackdrop });
    }
    for (const bar of slab.quoteBars) {
      const from = this.#previousBars.some((before) => before.id === bar.id) ? barsTop : top;
      const place = { y: from + MARGIN.top, height: this.#y - from, x: bar.x + MARGIN.left };
      boxes.push({ kind: "box", ...place, width: 2.2, radius: 0, color: COLOR.quoteBar });
    }
    this.#marks.splice(index, 0, ...boxes);
    this.#previousBars = slab.quoteBars;
  }

  *place(slab: Slab): Generator<Page> {
    const padding = slab.backdrop?.padding ?? 0;
    let barsTop = this.#y;
    if (!this.isFresh) this.#y += slab.gap;
    let index = this.#marks.length;
    let top = this.#y;
    this.#y += padding;
    let placed = false;
    for (const group of groupRows(slab)) {
      const height = sumHeights(group) + padding;
      let repeat = false;
      if (!this.fits(height) && (placed || top > 0)) {
        if (placed) {
          this.#y += padding;
          this.#lieBeneath(index, slab, top, barsTop);
          repeat = true;
        }
        yield this.finish();
        index = 0;
        top = 0;
        barsTop = 0;
        this.#y += padding;
      }
      if (repeat) for (const row of slab.repeated) this.#placeRow(row);
      for (const row of group) {
        // A group taller than a page has to be split after all.
        if (!this.fits(row.height + padding) && placed) {
          this.#y += padding;
          this.#lieBeneath(index, slab, top, barsTop);
          yield this.finish();
          index = 0;
          top = 0;
          barsTop = 0;
          this.#y += padding;
        }
        this.#placeRow(row);
        placed = true;
      }
    }
    this.#y += padding;
    this.#lieBeneath(index, slab, top, barsTop);
  }
}

export function* layOutPages(blocks: Block[], typeCase: TypeCase): Generator<Page> {
  const stack = new PageStack();
  let kept: Slab[] = [];
  function* placeKept(next: Slab | null): Generator<Page> {
    let height = 0;
    for (const slab of kept) height += slab.gap + sumHeights(slab.rows);
    if (next) height += next.gap + (next.backdrop?.padding ?? 0) * 2 + sumHeights(groupRows(next)[0] ?? []);
    if (kept.length > 0 && !stack.isFresh && !stack.fits(height)) yield stack.finish();
    for (const slab of next ? [...kept, next] : kept) yield* stack.place(slab);
    kept = [];
  }
  let previous: Block | null = null;
  for (const block of blocks) {
    const slab = typesetBlock(block, previous, typeCase);
    previous = block;
    if (slab.keepWithNext && kept.length < MOST_KEPT_HEADINGS) kept.push(slab);
    else yield* placeKept(slab);
  }
  yield* placeKept(null);
  yield stack.finish();
}
