/** Makes a copy of the store's sources and migrations with exact changes in them. It fails loudly where a text is not found exactly once. */
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./load-system.ts";

export interface Patch {
  /** From the repository's root. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  /** What was broken, for the table in docs/simulation.md. */
  readonly breaks: string;
  readonly patches: readonly Patch[];
}

export interface BredMutant {
  readonly root: string;
  remove(): Promise<void>;
}

const guards = "drizzle/20261129165212_guards/migration.sql";
/** A later migration writes one of the guards anew. */
const newerGuards = "drizzle/20261129202050_claim_functions/migration.sql";

/**
 * Every mutant is bred without the triggers of the database, the second line of defence: with them most mutants show at
 * once as an error OJ0nn, and what is to be shown is that the simulation sees the wrong rows and answers themselves.
 */
export const withoutTriggers: readonly Patch[] = [
  {
    file: guards,
    find: "$$\nBEGIN\n  RAISE EXCEPTION USING ERRCODE = TG_ARGV[0], MESSAGE = TG_ARGV[1], TABLE = TG_TABLE_NAME;\nEND $$",
    replace: "$$\nBEGIN\n  RETURN coalesce(new, old);\nEND $$",
  },
  { file: guards, find: "IF to_jsonb(new) - spared <> to_jsonb(old) - spared THEN", replace: "IF false THEN" },
  {
    file: guards,
    find: "IF EXISTS (SELECT FROM jobs WHERE id = old.job_id AND purged_at IS NULL) THEN",
    replace: "IF false THEN",
  },
  ...[
    [guards, "(SELECT job_id, min(number)"],
    ...[guards, newerGuards].flatMap((file) => [
      [file, "fresh a JOIN jobs j ON j.id = a.job_id\n      WHERE"],
      [file, "fresh a JOIN jobs j ON j.id = a.job_id\n      LEFT JOIN"],
    ]),
  ].map(([file = "", from = ""]) => ({
    file,
    find: `IF EXISTS (SELECT FROM ${from}`,
    replace: `IF false AND EXISTS (SELECT FROM ${from}`,
  })),
];

export function applyPatch(text: string, { file, find, replace }: Patch): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`A mutant's text stands ${parts.length - 1} times in ${file}, not once: ${find.slice(0, 120)}`);
  return parts.join(replace);
}

const bred = new Set<string>();

/** Also when the run is interrupted. */
process.once("exit", () => {
  for (const root of bred) rmSync(root, { recursive: true, force: true });
});

export async function breedMutant({ patches }: Mutant): Promise<BredMutant> {
  const root = await mkdtemp(join(tmpdir(), "onejob-mutant-"));
  bred.add(root);
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    for (const name of ["src/domain", "src/store", "drizzle", "package.json", "tsconfig.json"]) {
      await cp(join(repository, name), join(root, name), { recursive: true });
    }
    await symlink(join(repository, "node_modules"), join(root, "node_modules"), "junction");
    for (const patch of [...withoutTriggers, ...patches]) {
      const path = join(root, patch.file);
      await writeFile(path, applyPatch(await readFile(path, "utf8"), patch));
    }
    return { root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
