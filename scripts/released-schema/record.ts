/** The committed copy of the last release's schema: how it is written and read. What differs from it is compare.ts's to say. */
import { readFileSync } from "node:fs";

/** The release on record; null where the record says that there has been none. */
export type Release = { readonly version: string; readonly schema: string } | null;

const opening = /^# The schema of onejob (\S+), as released\./;

export const noRelease =
  "# No release yet: nothing has been promised to anybody. The first one is recorded here by npm run schema:record.\n";

export function writeRelease(version: string, schema: string): string {
  return `# The schema of onejob ${version}, as released. Written by npm run schema:record; never changed by hand.\n\n${schema.trimEnd()}\n`;
}

/** Throws on whatever is neither a release nor the statement that there is none: a lost record must not pass for "none". */
export function readRelease(text: string): Release {
  if (text === noRelease) return null;
  const [line = "", ...rest] = text.split("\n");
  const version = opening.exec(line)?.[1];
  const schema = rest.join("\n").trim();
  if (version !== undefined && schema !== "") return { version, schema: `${schema}\n` };
  throw new Error(
    "it neither names a release and holds its schema, nor says that there is none: restore it from the last release",
  );
}

/** The newest version that the changelog has a heading for, or null while it has Unreleased alone. */
export function newestInChangelog(changelog: string): string | null {
  return /^## \[?v?(\d+\.\d+\.\d+[\w.+-]*)\]?/m.exec(changelog)?.[1] ?? null;
}

function versionOf(manifest: string): string {
  return (JSON.parse(manifest) as { version: string }).version;
}

/** What a verdict needs of a repository, read from its files. */
export interface Repository {
  readonly version: string;
  readonly newestInChangelog: string | null;
  readonly release: Release;
}

export const recordPath = "schema/released.graphql";

export function readRepository(root: URL): Repository {
  const read = (name: string) => readFileSync(new URL(name, root), "utf8");
  return {
    version: versionOf(read("package.json")),
    newestInChangelog: newestInChangelog(read("CHANGELOG.md")),
    release: readRecord(() => read(recordPath)),
  };
}

function readRecord(read: () => string): Release {
  try {
    return readRelease(read());
  } catch (error) {
    throw new Error(`${recordPath}: ${(error as Error).message}`, { cause: error });
  }
}
