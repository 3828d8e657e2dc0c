/** Lists the repository's text files from the disk, without what is installed, built or left by a run. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { SourceFile } from "./rules.ts";

export const root = join(import.meta.dirname, "..", "..");

const leftOut = new Set([".git", ".onejob", "coverage", "dist", "node_modules"]);

function isText(content: Buffer): boolean {
  return !content.subarray(0, 8192).includes(0);
}

export function listFiles(folder = root): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (leftOut.has(entry.name)) return [];
    const full = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(full);
    if (!entry.isFile()) return [];
    const content = readFileSync(full);
    return isText(content) ? [{ path: relative(root, full).split(sep).join("/"), text: content.toString("utf8") }] : [];
  });
}
