/** Reads the file that is to be printed into the input of a print job, or says in one line why it cannot be one. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { PrintInput } from "../print-into-tray.ts";
import { Complaint } from "./complaint.ts";

/** What the server takes as an input, counted as it counts: as JSON. */
const maxInputBytes = 256 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  ENAMETOOLONG: "its name is too long",
};

function refuse(file: string, why: string): Complaint {
  return new Complaint(`Cannot print ${file}: ${why}.`);
}

function explain(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof Error ? refuse(file, reasons[code] ?? error.message) : error;
}

function tooLarge(file: string, bytes: number): Complaint {
  const kibibytes = Math.ceil(bytes / 1024);
  return refuse(file, `it is too large: ${kibibytes} KiB as a job's input, which may have ${maxInputBytes / 1024} KiB`);
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw refuse(file, "it is a folder");
    if (!found.isFile()) throw refuse(file, "it is no ordinary file");
    if (found.size > maxInputBytes) throw tooLarge(file, found.size);
    return await readFile(file);
  } catch (error) {
    throw error instanceof Complaint ? error : explain(error, file);
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // No UTF-8: the same complaint as for zeros.
  }
  throw refuse(file, "it is no text in UTF-8");
}

export async function readDocument(file: string): Promise<PrintInput> {
  const text = decode(await readBytes(file), file);
  const format = /\.(md|markdown)$/i.test(file) ? "markdown" : "text";
  const input = { name: path.basename(file), text, format } as const;
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes > maxInputBytes) throw tooLarge(file, bytes);
  return input;
}
