/** The server's log: one line for each event, for people or for programs. It decides nothing about what is worth a line. */
import { wallClock } from "../runtime/clock.ts";
import type { Log, LogFields } from "../runtime/log.ts";
import type { LogFormat, LogLevel } from "./config/definitions.ts";
import { describeError, type ErrorDescription } from "./describe-error.ts";

/** A runtime's log, with a level below: what only whoever looks for a fault wants to read. */
export interface ServerLog extends Log {
  debug(event: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Takes a line with its end. */
  readonly write: (line: string) => void;
}

const ranks = { debug: 0, info: 1, warn: 2, error: 3 } as const satisfies Record<LogLevel, number>;

function instantNow(): string {
  return wallClock().toISOString();
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

/** Characters that a terminal or a viewer of logs may obey rather than show: controls, and those that turn the writing round. */
const obeyed = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function shown(text: string): string {
  return text.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** `message` stands for the event where there is one; the other fields follow as name=value, a stack on lines of its own. */
function humanLine(level: LogLevel, event: string, fields: LogFields, error?: ErrorDescription): string {
  const { message, ...rest } = fields;
  const said = typeof message === "string" ? message.replaceAll("\n", "\\n") : event;
  const pairs = Object.entries({ ...rest, ...(error && { error: error.message }) });
  const tail = pairs.map(([name, value]) => ` ${name}=${textOf(value)}`).join("");
  const frames = (error?.at ?? []).map((frame) => `\n    ${frame}`).join("");
  return `${level === "info" ? "" : `${level}: `}${said}${tail}${frames}\n`;
}

function jsonLine(level: LogLevel, event: string, fields: LogFields, error?: ErrorDescription): string {
  return `${JSON.stringify({ level, at: instantNow(), event, ...fields, ...(error && { error }) })}\n`;
}

/** A field named `error` is described without the values that it was about; its stack is shown at the level debug. */
export function createLog({ level, format, write }: LogOptions): ServerLog {
  const lineOf = format === "human" ? humanLine : jsonLine;
  const writeAt =
    (rank: LogLevel) =>
    (event: string, given: LogFields = {}) => {
      if (ranks[rank] < ranks[level]) return;
      const { error, ...fields } = given;
      const described = error === undefined ? undefined : describeError(error, level === "debug");
      write(shown(lineOf(rank, event, fields, described)));
    };
  return { debug: writeAt("debug"), info: writeAt("info"), warn: writeAt("warn"), error: writeAt("error") };
}
