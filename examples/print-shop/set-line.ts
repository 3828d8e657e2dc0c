/** Turns a broken line into marks at a given place: text, the tint behind inline code, strokes. It decides no line breaks. */
import type { Line } from "./break-lines.ts";
import type { Alignment, Mark, Span } from "./document-blocks.ts";
import { COLOR, INLINE_CODE_SCALE } from "./page-style.ts";

export type LinePlace = {
  x: number;
  baseline: number;
  width: number;
  alignment: Alignment;
  ink: string;
  tintCode: boolean;
};

/** Inline code comes from a larger face, so every size has its smaller twin. */
export function sizeFor(size: number): (span: Span) => number {
  return (span) => (span.code ? size * INLINE_CODE_SCALE : size);
}

function inkFor(span: Span, missing: boolean, ink: string): string {
  if (missing || span.muted) return COLOR.muted;
  return span.link ? COLOR.link : ink;
}

export function setLineMarks(line: Line, place: LinePlace): Mark[] {
  const spare = Math.max(0, place.width - line.width);
  const alignment = line.rightToLeft && place.alignment === "left" ? "right" : place.alignment;
  const start = place.x + (alignment === "right" ? spare : alignment === "center" ? spare / 2 : 0);
  const tints: Mark[] = [];
  const texts: Mark[] = [];
  for (const { span, font, size, text, width, x: offset, missing } of line.fragments) {
    const x = start + offset;
    const color = inkFor(span, missing, place.ink);
    // A missing character stands a size smaller; lifted a little it sits in the middle of its line.
    texts.push({ kind: "text", x, y: place.baseline - (missing ? size * 0.08 : 0), text, font, size, color });
    if (span.code && place.tintCode) {
      const box = { x: x - 1.5, y: place.baseline - size * 1.02, width: width + 3, height: size * 1.38 };
      tints.push({ kind: "box", ...box, radius: 2, color: COLOR.inlineCodeBackdrop });
    }
    if (span.struck) {
      texts.push({ kind: "box", x, y: place.baseline - size * 0.27, width, height: 0.6, radius: 0, color });
    }
  }
  // All tints first: the tint of one word must not touch the letters of its neighbour.
  return [...tints, ...texts];
}
