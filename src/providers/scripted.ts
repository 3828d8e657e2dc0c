/** A provider that does what its script says, attempt by attempt: for the demo, tests and the simulation. It is no model of a real one. */
import { setTimeout as wait } from "node:timers/promises";
import type { Json } from "../domain/json.ts";
import type { Pace, Provider, ProviderCall } from "../domain/operation.ts";
import { failureCodes, type Outcome, type Remedy } from "../domain/outcome.ts";
import { defineProvider } from "./provider.ts";

interface Timing {
  /** Time between the acknowledgement and the answer; none by default. */
  readonly afterMs?: number;
  /** Fractions reported on the way, evenly over `afterMs`. */
  readonly progress?: readonly number[];
}

type Result = Json | ((call: ProviderCall) => Json);

interface Complaint {
  readonly code?: string;
  readonly message?: string;
  readonly remedy?: Remedy;
}

export type ScriptStep =
  /** Does the work, then succeeds with `result`, or else with what the work gave. */
  | ({ readonly kind: "ok"; readonly result?: Result } & Timing)
  /** Fails, certainly. */
  | ({ readonly kind: "jam" } & Complaint & Timing)
  /** Answers that it does not know what happened. */
  | ({ readonly kind: "unknown" } & Complaint & Timing)
  /** Never answers, and heeds no abort. */
  | { readonly kind: "hang"; readonly progress?: readonly number[]; readonly afterMs?: number }
  /** Does the work and succeeds `byMs` after it was given up, be that by the deadline or before it. */
  | ({ readonly kind: "late"; readonly byMs: number; readonly result?: Result } & Timing)
  /** Throws. */
  | ({ readonly kind: "crash"; readonly message?: string } & Timing);

export interface ScriptedProvider {
  readonly name: string;
  readonly revision?: string;
  readonly description?: string;
  readonly concurrency?: number;
  readonly maxRunning?: number;
  readonly pace?: Pace;
  /** One step for each attempt of a job at this provider, in order; the last one is repeated. It may depend on the call. */
  readonly script: readonly ScriptStep[] | ((call: ProviderCall) => readonly ScriptStep[]);
  /** The real work of `ok` and `late` steps. */
  readonly work?: (call: ProviderCall) => Promise<Json>;
}

/** Jobs whose attempts are counted; a script is for small cases, and must not fill the memory in long ones. */
const maxRememberedJobs = 10_000;

const defaults = {
  jam: { code: "JAM", message: "The script has it jam.", remedy: "SAME_PROVIDER" },
  unknown: { code: "UNCLEAR", message: "The script has it lose sight of what happened.", remedy: "NONE" },
} as const;

function failureOf(step: Complaint & { readonly kind: "jam" | "unknown" }) {
  const { code, message, remedy } = { ...defaults[step.kind], ...step };
  return { code, message, remedy };
}

/** Waits `afterMs`, with the progress spread over it; rejects when the signal, if one is heeded, is aborted. */
async function passTime(
  call: ProviderCall,
  { afterMs = 0, progress = [] }: Timing,
  signal?: AbortSignal,
): Promise<void> {
  const partMs = afterMs / (progress.length + 1);
  for (const fraction of progress) {
    await wait(partMs, undefined, signal === undefined ? {} : { signal });
    call.reportProgress({ fraction, message: null });
  }
  await wait(partMs, undefined, signal === undefined ? {} : { signal });
}

function givenUp(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

export function scriptedProvider({ script, work, revision = "1", ...declared }: ScriptedProvider): Provider {
  if (typeof script !== "function" && script.length === 0) {
    throw new TypeError(`The script of the provider "${declared.name}" has no step.`);
  }
  const attemptsOfJob = new Map<string, number>();

  function nextStep(call: ProviderCall): ScriptStep {
    const steps = typeof script === "function" ? script(call) : script;
    const played = attemptsOfJob.get(call.jobId) ?? 0;
    attemptsOfJob.delete(call.jobId);
    attemptsOfJob.set(call.jobId, played + 1);
    const [oldest] = attemptsOfJob.keys();
    if (attemptsOfJob.size > maxRememberedJobs && oldest !== undefined) attemptsOfJob.delete(oldest);
    const step = steps[Math.min(played, steps.length - 1)];
    if (step === undefined) throw new TypeError(`The script of the provider "${declared.name}" has no step.`);
    return step;
  }

  async function succeed(call: ProviderCall, result: Result | undefined): Promise<Outcome> {
    const made = work === undefined ? null : await work(call);
    if (result === undefined) return { kind: "succeeded", result: made };
    return { kind: "succeeded", result: typeof result === "function" ? result(call) : result };
  }

  async function play(step: ScriptStep, call: ProviderCall): Promise<Outcome> {
    switch (step.kind) {
      case "hang":
        await passTime(call, step);
        return await new Promise<never>(() => {});
      case "late":
        await passTime(call, step);
        await givenUp(call.signal);
        await wait(step.byMs);
        return await succeed(call, step.result);
      case "crash":
        await passTime(call, step, call.signal);
        throw new Error(step.message ?? "The script has it crash.");
      case "jam":
        await passTime(call, step, call.signal);
        return { kind: "failed", failure: failureOf(step) };
      case "unknown":
        await passTime(call, step, call.signal);
        return { kind: "unknown", failure: failureOf(step) };
      default:
        await passTime(call, step, call.signal);
        return await succeed(call, step.result);
    }
  }

  return defineProvider({
    ...declared,
    revision,
    async run(call) {
      const step = nextStep(call);
      await call.acknowledge(`${declared.name}-${call.attemptId}`);
      try {
        return await play(step, call);
      } catch (error) {
        if (!call.signal.aborted) throw error;
        const message = "It was given up before it answered.";
        return { kind: "unknown", failure: { code: failureCodes.aborted, message, remedy: "NONE" } };
      }
    },
  });
}
