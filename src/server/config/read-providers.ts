/** Reads the configured providers into the domain's. It calls none of them. */
import { z } from "zod";
import type { Provider } from "../../domain/operation.ts";
import {
  defaultConcurrency,
  maxAllowedRunning,
  maxStarts,
  maxWindowMs,
  minWindowMs,
} from "../../providers/provider.ts";
import { callable, nameShape, placeInList, type Report, readShape, reportTwins, wholeNumber } from "./read-shape.ts";

const providerShape = z.looseObject({
  name: nameShape,
  revision: z
    .string()
    .min(1, { error: "must not be empty: it says which model, endpoint and parameters stand behind the name" })
    .max(200),
  description: z.string().nullish(),
  concurrency: wholeNumber(1, 10_000).optional(),
  maxRunning: wholeNumber(1, maxAllowedRunning).optional(),
  pace: z.strictObject({ starts: wholeNumber(1, maxStarts), perMs: wholeNumber(minWindowMs, maxWindowMs) }).optional(),
  run: callable.optional(),
  lookup: callable.optional(),
  cancel: callable.optional(),
});

/** Names that a provider was configured under, known also when the rest of it is at fault. */
export function namesOf(elements: unknown): Set<string> {
  if (!Array.isArray(elements)) return new Set();
  const named = z.looseObject({ name: z.string() });
  return new Set(elements.flatMap((element: unknown) => named.safeParse(element).data?.name ?? []));
}

export function readProviders(value: unknown, report: Report): Map<string, Provider> {
  const elements = readShape(z.array(z.unknown()), value, "providers", report) ?? [];
  reportTwins("providers", elements, report);
  const providers = new Map<string, Provider>();
  for (const [index, element] of elements.entries()) {
    const read = readShape(providerShape, element, placeInList("providers", index, element), report);
    if (read === null) continue;
    // Bound, since it may be an instance of a class.
    const provider = element as Provider;
    providers.set(read.name, {
      name: read.name,
      revision: read.revision,
      description: read.description ?? null,
      concurrency: read.concurrency ?? defaultConcurrency,
      ...(read.maxRunning !== undefined && { maxRunning: read.maxRunning }),
      ...(read.pace !== undefined && { pace: read.pace }),
      ...(provider.run && { run: provider.run.bind(provider) }),
      ...(provider.lookup && { lookup: provider.lookup.bind(provider) }),
      ...(provider.cancel && { cancel: provider.cancel.bind(provider) }),
    });
  }
  return providers;
}
