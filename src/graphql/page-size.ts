/** How many rows a caller wants, and from which end. What is over the limit is refused, never clamped. */
import { badUserInput } from "./errors.ts";

export const defaultPageSize = 20;
export const maxPageSize = 100;

export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** The number, if it is a size that one answer may have. */
export function checkSize(name: string, size: number, max: number): number {
  if (size >= 0 && size <= max) return size;
  throw badUserInput(`${name} is ${size}: ask for 0 to ${max} at once, and go on from there.`);
}

export function sizeOf({ first, last }: PageArguments): { readonly limit: number; readonly fromEnd: boolean } {
  if (typeof first === "number" && typeof last === "number") {
    throw badUserInput("Both first and last were given: leave one of them out.");
  }
  if (typeof last === "number") return { limit: checkSize("last", last, maxPageSize), fromEnd: true };
  return { limit: checkSize("first", first ?? defaultPageSize, maxPageSize), fromEnd: false };
}
