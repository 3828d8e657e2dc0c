/** Holds the packages that an installation brings along to licences that everybody may use them under. docs/licences.md lists them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Lock, licencesPage, licensedPackages } from "../../scripts/licences.ts";

/** None of them asks more of whoever passes the package on than to name it. */
const allowed = new Set(
  "MIT ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Python-2.0 PostgreSQL Unlicense CC0-1.0".split(" "),
);

function foreignTo(lock: Lock): string[] {
  const others = licensedPackages(lock).filter(({ licence }) => !allowed.has(licence));
  return others.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const lock = JSON.parse(read("package-lock.json")) as Lock;

describe("the licences of what is installed with the package", () => {
  it("are all on the list of those that are allowed", () => {
    expect(foreignTo(lock)).toEqual([]);
    expect(licensedPackages(lock).length).toBeGreaterThan(50);
  });

  it("would be noticed if one were not, or if a package named none; what only development needs is not asked", () => {
    const packages = {
      "": { license: "GPL-3.0" },
      "node_modules/a/node_modules/@x/viral": { version: "1.0.0", license: "GPL-3.0" },
      "node_modules/silent": { version: "2.0.0" },
      "node_modules/tool": { version: "3.0.0", license: "GPL-3.0", dev: true },
      "node_modules/fine": { version: "4.0.0", license: "MIT" },
    };
    expect(foreignTo({ packages })).toEqual(["@x/viral 1.0.0: GPL-3.0", "silent 2.0.0: none"]);
  });

  it("are listed in docs/licences.md as the lock file has them", () => {
    expect(read("docs/licences.md")).toBe(`${licencesPage(lock).trimEnd()}\n`);
  });
});
