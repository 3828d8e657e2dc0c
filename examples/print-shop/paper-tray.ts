/** The paper tray: a folder that shows what was really printed, one PDF per attempt. It renders nothing and removes nothing. */
import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, unlink } from "node:fs/promises";
import path from "node:path";

export type Sheet = {
  documentName: string;
  /** A short mark of the job, where sheets of several lie in one tray. */
  job?: string;
  attempt: number;
  provider: string;
};

/** Longer names are cut: file systems end at 255 bytes, and provider and attempt must still fit behind. */
const LONGEST_STEM = 80;

function toFileNamePart(text: string): string {
  const safe = text
    .normalize("NFC")
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
  return safe.replace(/^[.-]+|[.-]+$/g, "");
}

/** README.md, job x7k2p9, second attempt, on the laser: "README-x7k2p9-attempt-2-laser.pdf". */
export function nameSheet({ documentName, job, attempt, provider }: Sheet): string {
  const stem = documentName.replace(/^.*[/\\]/s, "").replace(/\.(?:md|markdown|txt|text)$/i, "");
  let part = toFileNamePart(stem);
  while (Buffer.byteLength(part) > LONGEST_STEM) part = [...part].slice(0, -1).join("");
  const mark = job === undefined ? "" : `-${toFileNamePart(job)}`;
  return `${part || "document"}${mark}-attempt-${attempt}-${toFileNamePart(provider) || "provider"}.pdf`;
}

function numberCopy(fileName: string, copy: number): string {
  const { name, ext } = path.parse(fileName);
  return copy === 1 ? fileName : `${name}-copy-${copy}${ext}`;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts a finished sheet into the tray: whole or not at all, on disk before it returns, and never over another sheet.
 * A taken name gets "-copy-2" and so on. Returns the name under which the sheet lies there.
 */
export async function putIntoTray(trayDir: string, fileName: string, bytes: Uint8Array): Promise<string> {
  if (fileName === "" || fileName !== path.basename(fileName) || fileName.startsWith(".")) {
    throw new Error(`A sheet's name is a plain file name, without a folder: ${JSON.stringify(fileName)}`);
  }
  await mkdir(trayDir, { recursive: true });
  const temporary = path.join(trayDir, `.${randomUUID()}.partial`);
  const handle = await open(temporary, "wx");
  try {
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    for (let copy = 1; ; copy += 1) {
      const name = numberCopy(fileName, copy);
      try {
        // A hard link instead of a rename: rename would overwrite, link fails where the name is taken.
        await link(temporary, path.join(trayDir, name));
        await syncFolder(trayDir);
        return name;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      }
    }
  } finally {
    await unlink(temporary);
  }
}

/** The sheets in the tray, by name; none if nothing was ever printed. Half-written files do not count. */
export async function listTray(trayDir: string): Promise<string[]> {
  try {
    const names = await readdir(trayDir);
    return names.filter((name) => name.endsWith(".pdf") && !name.startsWith(".")).toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
