/** Says in words for people what ajv found wrong with a value: one issue for each place. It judges nothing itself. */
import type { ErrorObject } from "ajv/dist/2020.js";
import { pointerStep } from "../../domain/json.ts";
import type { InputIssue } from "../../domain/refusal.ts";

/** Issues named in one answer; the rest shows once these are mended. */
export const maxIssues = 20;

/** Says only that the schemas below it failed, each of which has its own error. */
const summaries: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "if", "$ref", "propertyNames"]);

/** The branch of a union, by its number, that an error comes from; null when it comes from elsewhere. */
function branchOf(error: ErrorObject, union: ErrorObject): string | null {
  const prefix = `${union.schemaPath}/`;
  return error.schemaPath.startsWith(prefix) ? (error.schemaPath.slice(prefix.length).split("/", 1)[0] ?? null) : null;
}

/** Of a union's branches only those that the value came closest to are worth a word. */
function withoutFarBranches(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const countByBranch = new Map<string, number>();
  for (const error of errors) {
    const branch = branchOf(error, union);
    if (branch !== null) countByBranch.set(branch, (countByBranch.get(branch) ?? 0) + 1);
  }
  const fewest = Math.min(...countByBranch.values());
  return errors.filter((error) => {
    const branch = branchOf(error, union);
    return branch === null || countByBranch.get(branch) === fewest;
  });
}

interface Finding {
  readonly path: string;
  readonly phrase: string;
}

function findingOf(error: ErrorObject): Finding {
  const path = error.instancePath;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "required":
    case "dependentRequired":
      return { path: path + pointerStep(String(params["missingProperty"])), phrase: "is required" };
    case "additionalProperties":
      return {
        path: path + pointerStep(String(params["additionalProperty"])),
        phrase: "is not a property of the schema",
      };
    case "unevaluatedProperties":
      return {
        path: path + pointerStep(String(params["unevaluatedProperty"])),
        phrase: "is not a property of the schema",
      };
    case "type":
      return { path, phrase: `must be of the type ${[params["type"]].flat().join(" or ")}` };
    case "enum":
      return {
        path,
        phrase: `must be one of ${(params["allowedValues"] as unknown[]).map((value) => JSON.stringify(value)).join(", ")}`,
      };
    case "const":
      return { path, phrase: `must be ${JSON.stringify(params["allowedValue"])}` };
    default:
      return { path, phrase: (error.message ?? "breaks the schema").replace("must NOT", "must not") };
  }
}

/** At most `maxIssues` of them, in the order of their places. */
export function explainRejection(errors: readonly ErrorObject[]): InputIssue[] {
  const unions = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf");
  const telling = unions.reduce(withoutFarBranches, errors).filter((error) => !summaries.has(error.keyword));
  const phrasesByPath = new Map<string, Set<string>>();
  for (const error of telling.length > 0 ? telling : errors) {
    const { path, phrase } = findingOf(error);
    phrasesByPath.set(path, (phrasesByPath.get(path) ?? new Set()).add(phrase));
  }
  return [...phrasesByPath]
    .slice(0, maxIssues)
    .map(([path, phrases]) => ({ path, message: `The value ${[...phrases].join(" or ")}.` }));
}
