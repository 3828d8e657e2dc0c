/** Reads one part of a configuration and reports each of its faults under its own place. It knows no part in particular. */
import { z } from "zod";

/** Takes a fault: where it is, such as `operations[0] (print).version`, and what is wrong there. */
export type Report = (where: string, what: string) => void;

/** Said of a secret that is undefined: most often a configuration reads it from the environment, and it is not there. */
export const notSet = "is not set: if it comes from the environment, check the variable";

/** Letters in any case: two names that differ in case alone are too alike, and are refused as one. */
export const nameShape = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/i, {
  error: "must start with a letter and have at most 63 letters, digits, _ and -",
});

export function wholeNumber(least: number, greatest: number) {
  const error = `must be a whole number from ${least.toLocaleString("en")} to ${greatest.toLocaleString("en")}`;
  return z.int({ error }).min(least, { error }).max(greatest, { error });
}

export function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, { error: `must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}` });
}

/** Names of configured providers, each of them once. */
export function providerList(known: ReadonlySet<string>) {
  return z.array(z.string()).superRefine((names, context) => {
    for (const [index, name] of names.entries()) {
      const report = (message: string) => context.addIssue({ code: "custom", path: [index], message });
      if (!known.has(name)) report(`names no configured provider: ${name} (known: ${[...known].join(", ") || "none"})`);
      else if (names.indexOf(name) !== index) report(`names ${name} once more`);
    }
  });
}

export const callable = z.custom<(...parameters: never[]) => unknown>((value) => typeof value === "function", {
  error: "must be a function",
});

function placeOf(where: string, path: readonly PropertyKey[]): string {
  const place = path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${String(step)}`),
    where,
  );
  return place.startsWith(".") ? place.slice(1) : place;
}

function plainly(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has no setting ${issue.keys.join(", ")}`;
  return issue.message.replace(/^Invalid input: expected (\S+), received (\S+)$/, "must be of the type $1, not $2");
}

/** The value in its shape, or null after its faults were reported. */
export function readShape<Value>(shape: z.ZodType<Value>, value: unknown, where: string, report: Report): Value | null {
  const read = shape.safeParse(value, { error: (issue) => (issue.input === undefined ? "is required" : undefined) });
  if (read.success) return read.data;
  for (const issue of read.error.issues) report(placeOf(where, issue.path), plainly(issue));
  return null;
}

/** How a list's element is called in faults: by its index, and by its name where it has one. */
export function placeInList(list: string, index: number, element: unknown): string {
  const name: unknown = typeof element === "object" && element !== null && "name" in element ? element.name : undefined;
  return typeof name === "string" ? `${list}[${index}] (${name})` : `${list}[${index}]`;
}

/** Reports every name that another element has taken, in whatever case. */
export function reportTwins(list: string, elements: readonly unknown[], report: Report): void {
  const places = new Map<string, string>();
  for (const [index, element] of elements.entries()) {
    const name: unknown =
      typeof element === "object" && element !== null && "name" in element ? element.name : undefined;
    if (typeof name !== "string") continue;
    const place = placeInList(list, index, element);
    const twin = places.get(name.toLowerCase());
    if (twin !== undefined) report(place, `has the same name as ${twin}`);
    else places.set(name.toLowerCase(), place);
  }
}
