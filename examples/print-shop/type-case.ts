/** The type case: which font holds a character, and how wide text comes out in it. It places nothing on a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import type { FontName, Span } from "./document-blocks.ts";

const require = createRequire(import.meta.url);

/** Source Sans is pleasant to read; DejaVu reaches further (box drawing, arrows, Arabic, Hebrew). Both are free. */
const FONT_FILES: Record<FontName, string> = {
  sans: require.resolve("@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf"),
  sansBold: require.resolve("@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf"),
  sansItalic: require.resolve("@expo-google-fonts/source-sans-3/400Regular_Italic/SourceSans3_400Regular_Italic.ttf"),
  sansBoldItalic: require.resolve("@expo-google-fonts/source-sans-3/700Bold_Italic/SourceSans3_700Bold_Italic.ttf"),
  mono: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"),
  monoBold: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf"),
  wide: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  wideBold: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  wideItalic: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Oblique.ttf"),
  wideBoldItalic: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-BoldOblique.ttf"),
};

const fontBytes = new Map<FontName, Uint8Array>();
const openFonts = new Map<FontName, Font>();

/** The font file's bytes, read once per process: a print shop opens the same few for every document. */
export function loadFontBytes(name: FontName): Uint8Array {
  let bytes = fontBytes.get(name);
  if (bytes === undefined) {
    bytes = readFileSync(FONT_FILES[name]);
    fontBytes.set(name, bytes);
  }
  return bytes;
}

function openFont(name: FontName): Font {
  let font = openFonts.get(name);
  if (font === undefined) {
    const opened = create(Buffer.from(loadFontBytes(name)));
    if (!("layout" in opened)) throw new Error(`${FONT_FILES[name]} is a collection of fonts, not one font`);
    font = opened;
    openFonts.set(name, font);
  }
  return font;
}

/** Text in one font. A `missing` run spells out characters that no font holds, so nothing vanishes unseen. */
export type Run = { text: string; font: FontName; missing: boolean };

function fontChain(span: Span): FontName[] {
  if (span.code) return span.bold ? ["monoBold", "wideBold", "wide"] : ["mono", "wide"];
  if (span.bold && span.italic) return ["sansBoldItalic", "wideBoldItalic", "wide"];
  if (span.bold) return ["sansBold", "wideBold", "wide"];
  if (span.italic) return ["sansItalic", "wideItalic", "wide"];
  return ["sans", "wide"];
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const CONTROL = /\p{Cc}/u;
/** Soft hyphens, variation selectors and the like: made to be unseen. The two joiners stay, as they shape letters. */
const UNSEEN = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu;
const JOINER = /[\u200c\u200d]/;
/** A character with its accents, or figures tied by joiners. Intl.Segmenter knows more, but takes minutes for one long word. */
const GRAPHEME = /[^](?:[\p{M}\p{Emoji_Modifier}\u200c]|\u200d[^])*/gu;

/** Splits text where a reader would: an accent stays with its letter. */
export function splitGraphemes(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return [...text];
  return text.match(GRAPHEME) ?? [];
}

function holds(name: FontName, character: string): boolean {
  if (CONTROL.test(character)) return false;
  return openFont(name).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}

function findRuns(grapheme: string, chain: FontName[]): Run[] {
  const characters = [...grapheme];
  const whole = chain.find((name) => characters.every((character) => holds(name, character)));
  if (whole !== undefined) return [{ text: grapheme, font: whole, missing: false }];
  return characters
    .filter((character) => !JOINER.test(character))
    .map((character) => {
      const font = chain.find((name) => holds(name, character));
      if (font !== undefined) return { text: character, font, missing: false };
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      return { text: `[U+${code}]`, font: "mono", missing: true };
    });
}

export type TypeCase = {
  split(text: string, span: Span): Run[];
  width(text: string, font: FontName, size: number): number;
};

/** Opens a type case for one document: its memory of widths goes when the document is done. */
export function openTypeCase(): TypeCase {
  const widths = new Map<string, number>();
  const measure = (text: string, font: FontName): number => {
    const key = `${font} ${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      const opened = openFont(font);
      width = opened.layout(text).advanceWidth / opened.unitsPerEm;
      widths.set(key, width);
    }
    return width;
  };
  return {
    split(text, span) {
      const chain = fontChain(span);
      const first = chain[0] ?? "wide";
      if (PRINTABLE_ASCII.test(text)) return text === "" ? [] : [{ text, font: first, missing: false }];
      const runs: Run[] = [];
      for (const grapheme of splitGraphemes(text.replace(UNSEEN, ""))) {
        for (const run of findRuns(grapheme, chain)) {
          const last = runs.at(-1);
          if (last && last.font === run.font && !last.missing && !run.missing) last.text += run.text;
          else runs.push(run);
        }
      }
      return runs;
    },
    width(text, font, size) {
      // The pen shapes word by word; measuring in the same pieces makes the two agree to the point.
      let width = 0;
      for (const piece of text.match(/[^ ]* |[^ ]+$/g) ?? []) width += measure(piece, font);
      return width * size;
    },
  };
}
