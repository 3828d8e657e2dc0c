/** Every measure and colour of the printed page, in points. Numbers only: what is drawn with them stands elsewhere. */

export const PAPER = { width: 595.28, height: 841.89 } as const;
export const MARGIN = { left: 72, right: 72, top: 84, bottom: 78 } as const;
export const CONTENT_WIDTH = PAPER.width - MARGIN.left - MARGIN.right;
export const CONTENT_HEIGHT = PAPER.height - MARGIN.top - MARGIN.bottom;

export const HEADER_BASELINE = 50;
export const FOOTER_BASELINE = PAPER.height - 42;
export const FURNITURE_SIZE = 8.5;

export const COLOR = {
  ink: "#1f2429",
  heading: "#11161b",
  muted: "#6a737d",
  link: "#1d4f91",
  hairline: "#d5dae0",
  quoteBar: "#c3cad2",
  codeBackdrop: "#f4f6f8",
  inlineCodeBackdrop: "#eef1f4",
} as const;

export const BODY = { size: 10.5, leading: 15.5 } as const;
export const CODE = { size: 8.4, leading: 12.2, padding: 9 } as const;
export const LISTING = { size: 8.8, leading: 12.6 } as const;
export const TABLE = { size: 9.5, leading: 13.4, cellPadding: 6, rowPadding: 3.5, narrowestColumn: 34 } as const;
/** DejaVu Sans Mono is drawn larger than Source Sans: scaled down, inline code matches the words around it. */
export const INLINE_CODE_SCALE = 0.84;

export const HEADINGS = [
  { size: 23, leading: 28, before: 22, after: 6 },
  { size: 16.5, leading: 21, before: 21, after: 3 },
  { size: 13, leading: 17.5, before: 17, after: 1.5 },
  { size: 11.5, leading: 16, before: 14, after: 0 },
  { size: 10.5, leading: 15.5, before: 12, after: 0 },
  { size: 10.5, leading: 15.5, before: 12, after: 0 },
] as const;

export const GAP = { block: 8.5, tight: 2.5 } as const;
export const INDENT = { item: 17, quote: 15 } as const;
/** However deep a list goes, text keeps the right half of the page. */
export const DEEPEST_INDENT = CONTENT_WIDTH / 2;
