// Copies the platform package's programs to where every user can run them, with their library links. Not an install:
// what a server does not need at run time stays behind.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Copies `<packageDir>/native` to `<target>/native`. The target appears complete or not at all. */
export function copyBinaries(packageDir: string, target: string): void {
  const draft = mkdtempSync(`${target}.new-`);
  try {
    chmodSync(draft, 0o755);
    copyReadable(join(packageDir, "native"), join(draft, "native"));
    linkLibraries(packageDir, draft);
    try {
      renameSync(draft, target);
    } catch (error) {
      if (!existsSync(target)) throw error; // otherwise another start has just made the same copy
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Modes are set, not kept: a package installed under a narrow umask is closed file by file. */
function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyReadable(source, copy);
    else if (entry.isFile() && !entry.name.endsWith(".a")) {
      copyFileSync(source, copy);
      chmodSync(copy, basename(from) === "bin" ? 0o755 : 0o644);
    }
  }
}

/** The links of the package's install script, relative to their folder. */
function linkLibraries(packageDir: string, draft: string): void {
  const list = join(packageDir, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    if (dirname(source) === dirname(target)) symlinkSync(basename(source), join(draft, target));
  }
}
