/** Carries out one step: a command alone, or several at once, held at a point or cut off there. It judges nothing. */

import { setTimeout as pause } from "node:timers/promises";
import type { Moment } from "./asking.ts";
import { carryOut } from "./carry-out.ts";
import type { Command, Json } from "./commands.ts";
import { type Hold, holdPoint, untilBlocked } from "./hold-point.ts";
import type { Scene } from "./open-scene.ts";

export interface Step {
  readonly commands: readonly { readonly command: Command; readonly store: 0 | 1 }[];
  readonly hold: Hold | null;
  /** Sessions seen waiting at the hold are ended. */
  readonly cuts: boolean;
}

export interface Outcome {
  readonly command: Command;
  /** The answer; an object with `error` where there was none. */
  readonly seen: Json;
  /** The caller was cut off, so the command was carried out as a whole or not at all. */
  readonly wasCutOff: boolean;
}

/** So long that only a command which nobody will ever answer is given up. */
const patienceMs = 90_000;

async function answerInTime(asked: Promise<unknown>): Promise<unknown> {
  const patience = new AbortController();
  const givenUp = pause(patienceMs, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`no answer within ${patienceMs} ms`);
  });
  // Cancelled as soon as there is an answer, which is no error.
  givenUp.catch(() => {});
  return Promise.race([asked, givenUp]).finally(() => patience.abort());
}

const cutCodes = new Set(["57P01", "CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "ECONNRESET"]);

/**
 * The client of the database may say it late: a connection that was cut off during one query fails its next one with the
 * same words (seen with postgres.js 3.4.9). So it is believed of every command once a session has been cut off.
 */
async function settle(asked: Promise<unknown>, command: Command, mayBeCut: () => boolean): Promise<Outcome> {
  try {
    return { command, seen: (await answerInTime(asked)) as Json, wasCutOff: false };
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    if (mayBeCut() && cutCodes.has(code)) return { command, seen: null, wasCutOff: true };
    return { command, seen: { error: `${code} ${message}`.trim() }, wasCutOff: false };
  }
}

export async function runStep(scene: Scene, step: Step, moment: Moment): Promise<Outcome[]> {
  const held = step.hold === null ? null : await holdPoint(scene.sql, step.hold);
  let open = step.commands.length;
  const asked = step.commands.map(({ command, store }) => {
    const answer = carryOut(scene, scene.stores[store], command, moment);
    return settle(answer, command, () => scene.hasCutOff()).finally(() => {
      open -= 1;
    });
  });
  if (held !== null) {
    const waiting = await untilBlocked(scene.reader, () => open);
    if (step.cuts) await scene.cutOff(waiting);
    await held.release();
  }
  return Promise.all(asked);
}
