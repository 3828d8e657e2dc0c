/** The work of a printer: renders a job's document, page by page, and puts the sheet into the tray. Whether it may count is not its business. */
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Json, ProviderCall } from "onejob";
import { nameSheet, putIntoTray } from "./paper-tray.ts";
import { type RenderDocument, renderDocument } from "./render-document.ts";

export type PrintInput = Pick<RenderDocument, "name" | "text" | "format">;

export interface Printer {
  readonly provider: string;
  /** Whether it stops when nobody waits for the sheet any more. Some printers do not. */
  readonly heedsAbort: boolean;
}

/** What a page takes to come out, so that one sees it come; long documents make up for it with their number of pages. */
const pageMs = 350;
const documentMs = 1_800;

/** Beside the database, which shows what is meant to be, the tray shows what is: `.onejob/tray`. */
export const trayDir = path.resolve(process.env.ONEJOB_DATA_DIR || ".onejob", "tray");

/** The end of the job's id tells jobs apart, and is short enough for a file's name. */
export function markOf(jobId: string): string {
  return jobId.slice(-6);
}

export function printIntoTray({ provider, heedsAbort }: Printer): (call: ProviderCall) => Promise<Json> {
  return async (call) => {
    const signal = heedsAbort ? { signal: call.signal } : {};
    const { name, text, format } = call.input as PrintInput;
    const { pdf, pageCount, sha256 } = await renderDocument({
      name,
      text,
      format,
      ...signal,
      onPage: async (page, total) => {
        call.reportProgress({ fraction: page / total, message: `page ${page} of ${total}` });
        await wait(Math.min(pageMs, documentMs / total), undefined, signal);
      },
    });
    const sheet = nameSheet({ documentName: name, job: markOf(call.jobId), attempt: call.attemptNumber, provider });
    return { fileName: await putIntoTray(trayDir, sheet, pdf), pageCount, sha256 };
  };
}
