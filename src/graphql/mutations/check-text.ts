/** Whether a text that callers wrote can be stored: its length, and characters that PostgreSQL does not hold. */
import { textFault } from "../../domain/json.ts";
import type { InputIssue } from "../../domain/refusal.ts";

export interface TextBounds {
  /** 1 where an empty text says nothing. */
  readonly min?: 0 | 1;
  readonly max: number;
}

/** The faults of an optional text; what was not given has none. Length counts UTF-16 code units, as JavaScript does. */
export function textIssues(path: string, text: string | null | undefined, { min = 0, max }: TextBounds): InputIssue[] {
  if (text === null || text === undefined) return [];
  if (text.length < min) return [{ path, message: "The text is empty." }];
  if (text.length > max) return [{ path, message: `The text has ${text.length} characters: give at most ${max}.` }];
  const fault = textFault(text);
  return fault === null ? [] : [{ path, message: `The text ${fault}.` }];
}

/** The same for a text that must say something: blanks alone do not. */
export function requiredTextIssues(path: string, text: string, max = 2_000): InputIssue[] {
  return text.trim() === "" ? [{ path, message: "The text is empty." }] : textIssues(path, text, { max });
}

export function rangeIssues(path: string, value: number | null | undefined, min: number, max: number): InputIssue[] {
  if (value === null || value === undefined || (value >= min && value <= max)) return [];
  return [{ path, message: `${value} is out of range: give ${min} to ${max}.` }];
}

/** A reason for the job's events; `max` is what one reads in a log. */
export function reasonIssues(reason: string | null | undefined): InputIssue[] {
  return textIssues("/reason", reason, { max: 2_000 });
}
