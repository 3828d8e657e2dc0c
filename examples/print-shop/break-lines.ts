/** Breaks styled text into lines of a given width, in the order the eye reads them. It knows nothing of pages or blocks. */

import { cutToWidth, type Fragment, LONGEST_MEASURED } from "./cut-to-width.ts";
import type { Span } from "./document-blocks.ts";
import type { Run, TypeCase } from "./type-case.ts";

export type Line = { fragments: Fragment[]; width: number; rightToLeft: boolean };

type Word = { fragments: Fragment[]; width: number; gap: number; gapSpan: Span | null; rightToLeft: boolean };

/** Spaces at which a line may end; the no-break ones are left out. */
const PIECES =
  /\n|[\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+|[^\n\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+/g;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;

/** What a gap beside inline code is widened by. */
const TINT_GAP = 1.3;

export type LineSetter = {
  typeCase: TypeCase;
  sizeOf: (span: Span) => number;
  maxWidth: number;
};

function toFragment(run: Run, span: Span, setter: LineSetter): Fragment {
  const size = setter.sizeOf(span) * (run.missing ? 0.8 : 1);
  const tooLong = run.text.length > LONGEST_MEASURED;
  const width = tooLong ? Number.POSITIVE_INFINITY : setter.typeCase.width(run.text, run.font, size);
  return { text: run.text, font: run.font, size, width, x: 0, span, missing: run.missing };
}

/** Gathers words, each made of the runs between two spaces; null stands for a forced break. */
function gatherWords(spans: Span[], setter: LineSetter): Array<Word | null> {
  const words: Array<Word | null> = [];
  let word: Word | null = null;
  let gap = 0;
  let gapSpan: Span | null = null;
  for (const span of spans) {
    for (const piece of span.text.match(PIECES) ?? []) {
      if (piece === "\n") {
        words.push(null);
        word = null;
        gap = 0;
      } else if (piece.trim() === "" && !piece.includes("\u00a0")) {
        word = null;
        const font = setter.typeCase.split(" ", span)[0]?.font ?? "sans";
        gap = setter.typeCase.width(" ", font, setter.sizeOf(span));
        gapSpan = span;
      } else {
        const fragments = setter.typeCase.split(piece, span).map((run) => toFragment(run, span, setter));
        if (word === null) {
          // The tint around inline code reaches into the gap, which would else seem missing.
          const before = words.at(-1)?.fragments.at(-1)?.span;
          const meetsTint = gapSpan !== span ? span.code || before?.code : before !== span && before?.code;
          if (gap > 0 && meetsTint) gap += TINT_GAP;
          word = { fragments: [], width: 0, gap, gapSpan, rightToLeft: RIGHT_TO_LEFT.test(piece) };
          words.push(word);
          gap = 0;
          gapSpan = null;
        }
        for (const fragment of fragments) {
          word.fragments.push(fragment);
          word.width += fragment.width;
        }
      }
    }
  }
  return words;
}

/** Puts each stretch of words that run against the line's direction in the order in which they are seen. */
function orderForTheEye(words: Word[], lineRunsLeft: boolean): Word[] {
  if (!lineRunsLeft && !words.some((word) => word.rightToLeft)) return words;
  const ordered: Word[] = [];
  let against: Word[] = [];
  for (const word of words) {
    if (word.rightToLeft !== lineRunsLeft) against.push(word);
    else {
      ordered.push(...against.toReversed(), word);
      against = [];
    }
  }
  ordered.push(...against.toReversed());
  return lineRunsLeft ? ordered.toReversed() : ordered;
}

function setLine(words: Word[], rightToLeft: boolean, typeCase: TypeCase): Line {
  const fragments: Fragment[] = [];
  let x = 0;
  const gaps = words.map((word) => word.gap);
  orderForTheEye(words, rightToLeft).forEach((word, index) => {
    const gap = index === 0 ? 0 : (gaps[index] ?? 0);
    x += gap;
    let joinable = index > 0 && !word.rightToLeft;
    for (const fragment of word.rightToLeft ? word.fragments.toReversed() : word.fragments) {
      const last = fragments.at(-1);
      const sameStyle =
        last?.span === fragment.span && last.font === fragment.font && !last.missing && !fragment.missing;
      if (last && joinable && sameStyle && word.gapSpan === fragment.span) {
        last.text += ` ${fragment.text}`;
        last.width = typeCase.width(last.text, last.font, last.size);
        x = last.x + last.width;
      } else {
        fragments.push({ ...fragment, x });
        x += fragment.width;
      }
      joinable = false;
    }
  });
  return { fragments, width: x, rightToLeft };
}

export function breakLines(spans: Span[], setter: LineSetter): Line[] {
  const { maxWidth, typeCase } = setter;
  const lines: Line[] = [];
  const words = gatherWords(spans, setter);
  const firstStrong = words.find((word) => word?.rightToLeft || word?.fragments.some((part) => LETTER.test(part.text)));
  const rightToLeft = firstStrong?.rightToLeft ?? false;
  let line: Word[] = [];
  let used = 0;
  const finishLine = (): void => {
    lines.push(setLine(line, rightToLeft, typeCase));
    line = [];
    used = 0;
  };
  for (const word of words) {
    if (word === null) {
      finishLine();
      continue;
    }
    const gap = line.length === 0 ? 0 : word.gap;
    if (used + gap + word.width > maxWidth && line.length > 0) finishLine();
    if (word.width <= maxWidth) {
      used += (line.length === 0 ? 0 : word.gap) + word.width;
      line.push(word);
      continue;
    }
    for (const fragments of cutToWidth(word.fragments, { maxWidth, typeCase, preferSpaces: false })) {
      if (line.length > 0) finishLine();
      const width = fragments.reduce((sum, fragment) => sum + fragment.width, 0);
      line.push({ ...word, fragments, width, gap: 0 });
      used = width;
    }
  }
  if (line.length > 0 || lines.length === 0) finishLine();
  return lines;
}
