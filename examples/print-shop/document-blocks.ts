/** The shapes a document takes on its way to paper: blocks from the parsers, slabs from the typesetter, pages for the pen. Types only, no behaviour. */

/** A stretch of text in one style. A "\n" inside is a forced line break. */
export type Span = {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  link?: boolean;
  muted?: boolean;
  struck?: boolean;
};

/** One level of indentation around a block; the id tells two neighbouring quotes from one long quote. */
export type Nest = { kind: "item" | "quote"; id: number };

export type Alignment = "left" | "center" | "right";

export type BlockContent =
  | { kind: "heading"; level: number; spans: Span[] }
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "code"; text: string }
  /** Part of a plain text document: set like code, but bare and without a gap to its neighbours. */
  | { kind: "listing"; text: string }
  | { kind: "table"; alignments: Alignment[]; head: Span[][]; rows: Span[][][]; source: string }
  | { kind: "rule" };

/** Blocks are flat: nesting is written on each of them, so that a page may end anywhere. */
export type Block = {
  content: BlockContent;
  nesting: Nest[];
  /** The bullet or number that hangs to the left of a list item's first block. */
  marker: string | null;
  /** True where Markdown asks for no gap before: the items of a tight list. */
  tight: boolean;
};

export type FontName =
  | "sans"
  | "sansBold"
  | "sansItalic"
  | "sansBoldItalic"
  | "mono"
  | "monoBold"
  | "wide"
  | "wideBold"
  | "wideItalic"
  | "wideBoldItalic";

/** What the pen puts on paper; `y` of text is its baseline, of a box its top. */
export type Mark =
  | { kind: "text"; x: number; y: number; text: string; font: FontName; size: number; color: string }
  | { kind: "box"; x: number; y: number; width: number; height: number; radius: number; color: string };

/** One line's worth of paper; marks are measured from the content's left edge and the row's top. */
export type Row = { height: number; marks: Mark[] };

export type Slab = {
  gap: number;
  rows: Row[];
  /** Headings: never the last thing on a page. */
  keepWithNext: boolean;
  /** Rows that belong together, as [first, last]; anywhere else a page may end. */
  unbroken: Array<[number, number]>;
  /** Repeated at the top of each further page: a table's head. */
  repeated: Row[];
  backdrop: { x: number; width: number; padding: number } | null;
  quoteBars: Array<{ id: number; x: number }>;
};

export type Page = { marks: Mark[] };
