/** Reads where the server listens, stores and logs: from the file, each setting overridden by its environment variable. */
import { z } from "zod";
import type { LogFormat, LogLevel } from "./definitions.ts";
import type { Overrides } from "./environment.ts";
import { oneOf, type Report, readShape, wholeNumber } from "./read-shape.ts";

export interface Settings {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Null where `databaseUrl` leads straight to the database. */
  readonly directDatabaseUrl: string | null;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  /** Null for what fits: lines for people on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | null;
  readonly shutdownGraceMs: number;
}

type Setting = keyof Settings;

function isDatabaseUrl(text: string): boolean {
  try {
    const url = new URL(text);
    // A stray % in the password would fail later, and less clearly.
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part);
    return /^postgres(ql)?:$/.test(url.protocol);
  } catch {
    return false;
  }
}

const databaseAddress = z
  .string()
  // Never quoted: there is a password in it.
  .refine(isDatabaseUrl, { error: "is no PostgreSQL address: write postgres://user:password@host:5432/database" })
  .nullable()
  .default(null);

const shapes: { readonly [Name in Setting]: z.ZodType<Settings[Name]> } = {
  host: z.string().min(1, { error: "must not be empty" }).default("127.0.0.1"),
  port: wholeNumber(0, 65_535).default(4_000),
  databaseUrl: databaseAddress,
  directDatabaseUrl: databaseAddress,
  dataDir: z.string().min(1, { error: "must not be empty" }).default(".onejob"),
  logLevel: oneOf(["debug", "info", "warn", "error"]).default("info"),
  logFormat: oneOf(["human", "json"]).nullable().default(null),
  shutdownGraceMs: wholeNumber(0, 600_000).default(10_000),
};

const numeric: ReadonlySet<Setting> = new Set<Setting>(["port", "shutdownGraceMs"]);

const logShape = z.strictObject({ level: z.unknown(), format: z.unknown() }).partial();

/** The file's settings under their own names; `log` is taken apart here. */
export function readSettings(file: Readonly<Record<string, unknown>>, overrides: Overrides, report: Report): Settings {
  const log = file["log"] ?? {};
  readShape(logShape, log, "log", report);
  const { level, format } =
    z.looseObject({ level: z.unknown(), format: z.unknown() }).partial().safeParse(log).data ?? {};
  const inFile: Readonly<Record<string, unknown>> = { ...file, logLevel: level, logFormat: format };
  const placesInFile: Partial<Record<Setting, string>> = { logLevel: "log.level", logFormat: "log.format" };

  const read = <Name extends Setting>(name: Name): Settings[Name] => {
    const override = overrides[name];
    const where = override?.source ?? placesInFile[name] ?? name;
    const given = override === undefined ? inFile[name] : overrideValue(name, override.text);
    return readShape(shapes[name], given, where, report) ?? shapes[name].parse(undefined);
  };
  const host = read("host");
  const port = read("port");
  const databaseUrl = read("databaseUrl");
  const directDatabaseUrl = read("directDatabaseUrl");
  if (directDatabaseUrl !== null && databaseUrl === null) {
    const where = overrides.directDatabaseUrl?.source ?? "directDatabaseUrl";
    report(
      where,
      "leads past a pooler, and there is none: name the pooler's address as databaseUrl, or leave this out",
    );
  }
  return {
    host,
    port,
    databaseUrl,
    directDatabaseUrl,
    dataDir: read("dataDir"),
    logLevel: read("logLevel"),
    logFormat: read("logFormat"),
    shutdownGraceMs: read("shutdownGraceMs"),
  };
}

function overrideValue(name: Setting, text: string): unknown {
  return numeric.has(name) && /^\d+$/.test(text) ? Number(text) : text;
}
