/** One event of a job, and one state of its progress, as a line to read. Pure: it prints nothing. */
import type { JobEvent } from "./documents.ts";
import { type Format, paint } from "./stage.ts";

const barWidth = 30;

function formatOf(type: string): Format | null {
  if (type.endsWith("_SUCCEEDED")) return "green";
  if (type.endsWith("_FAILED")) return "red";
  if (type === "ATTEMPT_UNKNOWN" || type === "RESULT_DISCARDED") return "yellow";
  return null;
}

function noteOn({ type, detail }: JobEvent): string {
  const { code, delayMs, uncertifiedBy, bytes, reason } = detail ?? {};
  if (typeof code === "string") return code;
  if (type === "RESULT_DISCARDED" && typeof bytes === "number") return `${bytes} bytes thrown away`;
  if (typeof delayMs === "number" && delayMs > 0) return `in ${delayMs} ms`;
  if (typeof uncertifiedBy === "string") return "not certified, by override";
  return typeof reason === "string" ? `"${reason}"` : "";
}

function showAttempt(attempt: { readonly number: number; readonly providerName: string }): string {
  return `attempt ${attempt.number} ${attempt.providerName}`;
}

/** `#5   3.21 s  ATTEMPT_UNKNOWN    attempt 2 inkjet  DEADLINE  DEADLINE_EXCEEDED` */
export function showEvent(event: JobEvent, first: JobEvent): string {
  const seconds = ((Date.parse(event.at) - Date.parse(first.at)) / 1000).toFixed(2);
  const format = formatOf(event.type);
  const who = event.attempt === null ? "" : showAttempt(event.attempt);
  const cells = [
    paint("dim", `#${event.number}`.padEnd(4)),
    paint("dim", `${seconds.padStart(5)} s `),
    format === null ? event.type.padEnd(18) : paint(format, event.type.padEnd(18)),
    who.padEnd(17),
    paint("dim", event.cause.padEnd(8)),
    noteOn(event),
  ];
  return cells.join(" ").trimEnd();
}

/** `                laser   ██████████████████░░░░░░░░░░░░  60 %  page 3 of 5`, in line with the events' types. */
export function showProgress(provider: string, fraction: number, message: string | null): string {
  const full = Math.round(Math.max(0, Math.min(1, fraction)) * barWidth);
  const bar = paint("cyan", "█".repeat(full)) + paint("dim", "░".repeat(barWidth - full));
  const percent = `${Math.round(fraction * 100)}`.padStart(3);
  return `                ${provider.padEnd(7)} ${bar} ${percent} %  ${message ?? ""}`.trimEnd();
}
