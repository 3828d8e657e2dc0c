/** The pen: draws laid out pages, with header and footer, into PDF bytes. Same pages, same bytes; it moves nothing. */
import PDFDocument from "pdfkit";
import { breakLines } from "./break-lines.ts";
import type { FontName, Mark, Page, Span } from "./document-blocks.ts";
import { COLOR, CONTENT_WIDTH, FOOTER_BASELINE, FURNITURE_SIZE, HEADER_BASELINE, MARGIN, PAPER } from "./page-style.ts";
import { setLineMarks, sizeFor } from "./set-line.ts";
import { loadFontBytes, splitGraphemes, type TypeCase } from "./type-case.ts";

type Pdf = InstanceType<typeof PDFDocument>;

/** A print bears no date: with the hour in it, no two prints of one document would be equal. */
const FIXED_DATE = new Date(0);

function drawMark(pdf: Pdf, mark: Mark, useFont: (name: FontName) => string): void {
  if (mark.kind === "text") {
    pdf.font(useFont(mark.font)).fontSize(mark.size).fillColor(mark.color);
    pdf.text(mark.text, mark.x, mark.y, { lineBreak: false, baseline: "alphabetic" });
  } else if (mark.radius > 0) {
    pdf.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).fill(mark.color);
  } else {
    pdf.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.color);
  }
}

/** A name longer than the header is cut in its middle's favour: the end of a file name says more than its middle. */
function shortenName(name: string, fits: (candidate: string) => boolean): string {
  if (fits(name)) return name;
  const parts = splitGraphemes(name.slice(0, 400));
  const ending = parts.slice(-12).join("");
  for (let kept = Math.min(parts.length - 12, 120); kept > 0; kept -= 1) {
    const candidate = `${parts.slice(0, kept).join("")}…${ending}`;
    if (fits(candidate)) return candidate;
  }
  return "…";
}

function setFurniture(name: string, typeCase: TypeCase): (page: number, total: number) => Mark[] {
  const setter = { typeCase, sizeOf: sizeFor(FURNITURE_SIZE), maxWidth: Number.POSITIVE_INFINITY };
  const setOne = (text: string, baseline: number, alignment: "left" | "center"): Mark[] => {
    const span: Span = { text, muted: true };
    const [line] = breakLines([span], setter);
    const place = { x: MARGIN.left, baseline, width: CONTENT_WIDTH, alignment, ink: COLOR.muted, tintCode: false };
    return line ? setLineMarks(line, place) : [];
  };
  const oneLine = name.replace(/\s+/g, " ").trim();
  const title = shortenName(oneLine, (text) => {
    const width = text.length > 400 ? Number.POSITIVE_INFINITY : (breakLines([{ text }], setter)[0]?.width ?? 0);
    return width <= CONTENT_WIDTH;
  });
  const header = setOne(title, HEADER_BASELINE, "left");
  const rule = { x: MARGIN.left, y: HEADER_BASELINE + 7, width: CONTENT_WIDTH, height: 0.5, radius: 0 };
  header.push({ kind: "box", ...rule, color: COLOR.hairline });
  return (page, total) => [...header, ...setOne(`page ${page} of ${total}`, FOOTER_BASELINE, "center")];
}

export type DrawPages = {
  name: string;
  pages: Page[];
  typeCase: TypeCase;
  /** Awaited after each page; what it throws ends the drawing. */
  afterPage: (page: number, total: number) => Promise<void>;
};

export async function drawPages({ name, pages, typeCase, afterPage }: DrawPages): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: [PAPER.width, PAPER.height],
    margin: 0,
    autoFirstPage: false,
    info: {
      Title: name.toWellFormed(),
      Producer: "Onejob print shop",
      Creator: "Onejob print shop",
      CreationDate: FIXED_DATE,
    },
  });
  const chunks: Uint8Array[] = [];
  const written = new Promise<void>((resolve, reject) => {
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  const registered = new Set<FontName>();
  const useFont = (font: FontName): string => {
    if (!registered.has(font)) pdf.registerFont(font, Buffer.from(loadFontBytes(font)));
    registered.add(font);
    return font;
  };
  const furniture = setFurniture(name, typeCase);
  for (const [index, page] of pages.entries()) {
    pdf.addPage();
    for (const mark of [...page.marks, ...furniture(index + 1, pages.length)]) drawMark(pdf, mark, useFont);
    await afterPage(index + 1, pages.length);
  }
  pdf.end();
  await written;
  return new Uint8Array(Buffer.concat(chunks));
}
