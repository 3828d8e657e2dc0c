/** The register of the contract's tests: each part of the contract belongs to one file of this folder, or to the list of exceptions. Each file proves its own part. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exceptions, typesNotAvailableYet } from "../../support/contract-exceptions.ts";
import { partsOf, partsOfClaim, sightsOf, typesWithParts } from "../../support/contract-parts.ts";
import { noteSightings } from "../../support/contract-sightings.ts";

/** What a file says to promisesOf, as far as it stands there as text; the rest it makes of lists that it tests. */
function claimsIn(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const [, given = ""] = /promisesOf\(([^;]*?)\);/s.exec(text) ?? [];
  return [...given.matchAll(/"([^"]+)"/g)].map(([, claim = ""]) => claim);
}
