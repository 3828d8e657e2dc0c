/**
 * Turns an operation's schema into the judge of its values: JSON Schema first, then the schema's own rules. The value is
 * judged as it came: defaults and transformations of the schema change nothing.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type Json, pointerStep } from "../../domain/json.ts";
import type { InputIssue } from "../../domain/refusal.ts";
import { closeObjects, type SchemaObject } from "./close-objects.ts";
import { explainRejection, maxIssues } from "./explain-rejection.ts";
import type { DescribedSchema, PathStep, SchemaIssue } from "./standard-schema.ts";

export interface Judge {
  /** JSON Schema 2020-12, objects closed. */
  readonly jsonSchema: SchemaObject;
  /** Faults as JSON Pointers relative to the value, at most 20; none when it conforms. Rejects if a rule of the schema throws. */
  judge(value: Json): Promise<readonly InputIssue[]>;
}

/** Values with more nodes than this are judged up to their first fault: every fault of a large value costs seconds. */
const thoroughNodes = 1_000;

/** Formats are left to the schema's own rules, which know what they mean by them. */
const ajvOptions = { strict: false, validateFormats: false, ownProperties: true, logger: false } as const;

/** Knows the schema of schemas, which takes ajv longer to compile than any operation's: one for all of them. */
const schemaJudge = new Ajv2020(ajvOptions);

/** Each in an ajv of its own, since two operations may give their schemas the same name. */
function compile(jsonSchema: SchemaObject, allErrors: boolean): ValidateFunction {
  return new Ajv2020({ ...ajvOptions, allErrors, meta: false, validateSchema: false }).compile(jsonSchema);
}

function checkSchema(jsonSchema: SchemaObject): void {
  if (schemaJudge.validateSchema(jsonSchema) !== true) throw new Error(schemaJudge.errorsText(schemaJudge.errors));
}

function isSmall(value: Json): boolean {
  const stack: Json[] = [value];
  let nodes = 0;
  for (let node = stack.pop(); node !== undefined && nodes <= thoroughNodes; node = stack.pop()) {
    nodes += 1;
    if (typeof node === "object" && node !== null) for (const child of Object.values(node)) stack.push(child);
  }
  return nodes <= thoroughNodes;
}

function stepKey(step: PathStep): string | number {
  const key = typeof step === "object" ? step.key : step;
  return typeof key === "symbol" ? String(key) : key;
}

function issueOf(issue: SchemaIssue): InputIssue {
  return { path: (issue.path ?? []).map((step) => pointerStep(stepKey(step))).join(""), message: issue.message };
}

/** Throws what the schema's library or ajv throws when the schema has no JSON Schema or a broken one. */
export function compileJudge(schema: DescribedSchema): Judge {
  // A result is judged as it arrives, an input as it was sent: always the schema of what goes in.
  const described = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  const jsonSchema = closeObjects(JSON.parse(JSON.stringify(described)) as SchemaObject);
  checkSchema(jsonSchema);
  const conforms = compile(jsonSchema, false);
  let thorough: ValidateFunction | null = null;

  const rejections = (value: Json): readonly ErrorObject[] => {
    if (conforms(value)) return [];
    const first = conforms.errors ?? [];
    if (!isSmall(value)) return first;
    thorough ??= compile(jsonSchema, true);
    thorough(value);
    return thorough.errors ?? first;
  };

  return {
    jsonSchema,
    async judge(value) {
      const found = rejections(value);
      if (found.length > 0) return explainRejection(found);
      const verdict = await schema["~standard"].validate(value);
      return (verdict.issues ?? []).slice(0, maxIssues).map(issueOf);
    },
  };
}
