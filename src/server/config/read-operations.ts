/** Reads the configured operations into the domain's, each with its judges and its contract's digest. */
import { z } from "zod";
import { effectClasses, type Operation } from "../../domain/operation.ts";
import { compileJudge, type Judge } from "../judge/compile-judge.ts";
import { isDescribedSchema, schemaFault } from "../judge/standard-schema.ts";
import { digestContract } from "./digest-contract.ts";
import {
  nameShape,
  oneOf,
  placeInList,
  providerList,
  type Report,
  readShape,
  reportTwins,
  wholeNumber,
} from "./read-shape.ts";

const dayMs = 86_400_000;

const retryShape = z
  .strictObject({
    maxAttempts: wholeNumber(1, 100).default(3),
    initialDelayMs: wholeNumber(0, dayMs).default(500),
    maxDelayMs: wholeNumber(0, dayMs).default(30_000),
  })
  .refine((retry) => retry.initialDelayMs <= retry.maxDelayMs, {
    path: ["initialDelayMs"],
    error: "is greater than maxDelayMs",
  });

function operationShape(providerNames: ReadonlySet<string>) {
  return z.strictObject({
    name: nameShape,
    version: wholeNumber(1, 1_000_000).default(1),
    description: z.string().optional(),
    effectClass: oneOf(effectClasses),
    // A library's schema may be a function, which no shape takes for an object: they are judged apart.
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    providers: providerList(providerNames).min(1, { error: "must name a provider" }),
    attemptTimeoutMs: wholeNumber(1, 7 * dayMs).default(30_000),
    leaseMs: wholeNumber(1, dayMs).default(15_000),
    retry: retryShape.default(retryShape.parse({})),
    cancelAttempt: oneOf(["owner", "operator"]).optional(),
    contract: z.looseObject({}).optional(),
  });
}

type OperationShape = z.infer<ReturnType<typeof operationShape>>;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readJudge(schema: unknown, where: string, report: Report): Judge | null {
  if (!isDescribedSchema(schema)) {
    report(where, schema === undefined ? "is required" : (schemaFault(schema) ?? ""));
    return null;
  }
  try {
    return compileJudge(schema);
  } catch (error) {
    report(where, `gives no usable JSON Schema: ${messageOf(error)}`);
    return null;
  }
}

function readOperation(
  read: OperationShape,
  judges: { input: Judge; output: Judge },
  where: string,
  report: Report,
): Operation | null {
  const [inputSchema, outputSchema] = [judges.input.jsonSchema, judges.output.jsonSchema];
  const { name, version, effectClass, contract } = read;
  try {
    return {
      name,
      version,
      description: read.description ?? null,
      effectClass,
      contractDigest: digestContract({ operation: name, version, effectClass, inputSchema, outputSchema, contract }),
      inputSchema,
      outputSchema,
      judgeInput: (value) => judges.input.judge(value),
      judgeOutput: (value) => judges.output.judge(value),
      providers: read.providers,
      attemptTimeoutMs: read.attemptTimeoutMs,
      leaseMs: read.leaseMs,
      // An impatient owner must not be able to free an attempt that may still act.
      cancelAttempt: read.cancelAttempt ?? (effectClass === "PURE" ? "owner" : "operator"),
      retry: read.retry,
    };
  } catch (error) {
    report(`${where}.contract`, `has no stable form: ${messageOf(error)}`);
    return null;
  }
}

export function readOperations(
  value: unknown,
  providerNames: ReadonlySet<string>,
  report: Report,
): Map<string, Operation> {
  const elements = readShape(z.array(z.unknown()), value, "operations", report) ?? [];
  reportTwins("operations", elements, report);
  const shape = operationShape(providerNames);
  const schemasShape = z.looseObject({ input: z.unknown(), output: z.unknown() }).partial();
  const operations = new Map<string, Operation>();
  for (const [index, element] of elements.entries()) {
    const where = placeInList("operations", index, element);
    const read = readShape(shape, element, where, report);
    const schemas = schemasShape.safeParse(element).data;
    if (schemas === undefined) continue;
    const input = readJudge(schemas.input, `${where}.input`, report);
    const output = readJudge(schemas.output, `${where}.output`, report);
    if (read === null || input === null || output === null) continue;
    const operation = readOperation(read, { input, output }, where, report);
    if (operation !== null) operations.set(operation.name, operation);
  }
  return operations;
}
