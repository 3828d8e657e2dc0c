/** The print shop as a configuration: one operation, and two printers, of which one is not to be trusted. It starts nothing. */
import { defineConfig, defineOperation, scriptedProvider } from "onejob";
import { z } from "zod";
import { printIntoTray } from "./print-into-tray.ts";

const print = defineOperation({
  name: "print",
  version: 1,
  description: "Prints a text or Markdown document as a PDF into the paper tray.",
  // A second try prints a second sheet, and no printer here can be asked what became of the first.
  effectClass: "BLIND",
  input: z.object({
    name: z.string().min(1).max(255),
    text: z.string(),
    format: z.enum(["text", "markdown"]),
  }),
  output: z.object({
    fileName: z.string(),
    pageCount: z.int().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  providers: ["inkjet", "laser"],
  attemptTimeoutMs: 3_000,
  retry: { maxAttempts: 3, initialDelayMs: 500, maxDelayMs: 5_000 },
});

/** Every job finds it in the same mood: the first attempt jams, the second is given up and printed all the same, the third works. */
const inkjet = scriptedProvider({
  name: "inkjet",
  description: "Jams, then answers late",
  script: [
    { kind: "jam", code: "PAPER_JAM", message: "The paper is stuck.", afterMs: 800, progress: [0.2] },
    { kind: "late", afterMs: 1_200, progress: [0.2, 0.4, 0.6], byMs: 4_000 },
    { kind: "ok" },
  ],
  work: printIntoTray({ provider: "inkjet", heedsAbort: false }),
});

const laser = scriptedProvider({
  name: "laser",
  description: "Works",
  script: [{ kind: "ok" }],
  work: printIntoTray({ provider: "laser", heedsAbort: true }),
});

export default defineConfig({
  providers: [inkjet, laser],
  operations: [print],
  shutdownGraceMs: 2_000,
});
