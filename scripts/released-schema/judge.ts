/** Whether a repository keeps what its last release promised, and whether its schema may be put on record. It reads and writes no file. */
import { buildSchema } from "graphql";
import { compareSchemas } from "./compare.ts";
import { type Release, type Repository, recordPath } from "./record.ts";
import { announcesBreak, isOlder, nextBreaking } from "./versions.ts";
import { breakingLine, dangerousLine } from "./wording.ts";

export interface Verdict {
  readonly ok: boolean;
  /** For people, in order. */
  readonly lines: readonly string[];
}

const kept = (...lines: readonly string[]): Verdict => ({ ok: true, lines });
const broken = (...lines: readonly string[]): Verdict => ({ ok: false, lines });

/** The changelog and the record name the same last release, or neither names one. */
function recordFault({ newestInChangelog, release }: Repository): string | null {
  if (newestInChangelog === (release?.version ?? null)) return null;
  if (newestInChangelog === null)
    return `${recordPath} records ${release?.version}, and CHANGELOG.md has no heading for it.`;
  const recorded = release === null ? "says that nothing was released" : `records ${release.version}`;
  return `CHANGELOG.md has a heading for ${newestInChangelog}, and ${recordPath} ${recorded}: record the release with npm run schema:record.`;
}

/** The differences, and whether the version may carry them. */
function compareWith(release: NonNullable<Release>, version: string, schema: string): Verdict {
  if (isOlder(version, release.version))
    return broken(`package.json says ${version}, which is older than the release on record, ${release.version}.`);
  const { breaking, dangerous } = compareSchemas(buildSchema(release.schema), buildSchema(schema));
  const notes = dangerous.length === 0 ? [] : ["It may surprise:", ...dangerous.map(dangerousLine)];
  if (breaking.length === 0)
    return kept(`The schema of ${version} breaks nothing that ${release.version} promised.`, ...notes);
  const list = ["It breaks:", ...breaking.map(breakingLine)];
  if (announcesBreak(release.version, version)) {
    return kept(
      `The schema of ${version} breaks what ${release.version} promised, as its number announces.`,
      ...list,
      ...notes,
    );
  }
  return broken(
    `The schema of ${version} breaks what ${release.version} promised, and its number does not say so.`,
    ...list,
    ...notes,
    `Keep what is there (add beside it, and deprecate), or raise the version in package.json to ${nextBreaking(release.version)} at least.`,
  );
}

/** `schema` is the one printed from the code. */
export function judgeSchema(repository: Repository, schema: string): Verdict {
  const fault = recordFault(repository);
  if (fault !== null) return broken(fault);
  const { release, version } = repository;
  if (release === null)
    return kept("No release is on record, so there is nothing to compare with: every change is still free.");
  return compareWith(release, version, schema);
}

/** Whether the schema may become the record of package.json's version. */
export function judgeRecording({ version, newestInChangelog, release }: Repository, schema: string): Verdict {
  if (newestInChangelog !== version) {
    return broken(
      `package.json says ${version}, and the newest heading of CHANGELOG.md ${newestInChangelog ?? "is Unreleased"}: give the release its heading first.`,
    );
  }
  if (release === null) return kept(`The schema of ${version} is the first on record.`);
  if (release.version !== version) return compareWith(release, version, schema);
  if (release.schema === `${schema.trimEnd()}\n`) return kept(`The schema of ${version} is on record already.`);
  return broken(
    `${version} is on record with another schema: what was released stays as it was. Raise the version in package.json.`,
  );
}

/** Whether what is about to be published is what is on record. */
export function judgePublishing(repository: Repository, schema: string): Verdict {
  const { version, release } = repository;
  if (release?.version !== version)
    return broken(`${version} is not on record: npm run schema:record, and commit what it writes.`);
  return judgeRecording(repository, schema);
}
