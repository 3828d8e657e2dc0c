/** What a worker sees of jobs that are not its own: of those it has claimed what the attempt needs, of others nothing (I11). */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/api-answers.ts";
import { type Api, type Fields, refusalOf } from "../../support/api-client.ts";
import { type ApiServer, startApiServer } from "../../support/api-server.ts";
import { holding } from "../../support/api-worker.ts";
import { isolationConfig, isolationTokens } from "../../support/isolation-config.ts";
import { documentsOf } from "../../support/isolation-documents.ts";
import { secret, secretsIn, secretTraceId } from "../../support/isolation-secrets.ts";
import { introspect } from "../../support/isolation-world.ts";

let server: ApiServer;
let other: Api;
let documents: ReadonlyMap<string, string>;
beforeAll(async () => {
  server = await startApiServer({ config: isolationConfig });
  other = server.as({ token: isolationTokens.otherWorker });
  documents = new Map(documentsOf(await introspect(server)).map(({ field, text }) => [field, text]));
});
afterAll(() => server.stop());

/** A mutation that asks for everything there is, and its whole answer as text. */
async function askAll(
  api: Api,
  field: string,
  input: Fields,
): Promise<{ readonly answer: Answer; readonly text: string }> {
  const variables = { [`Mutation_${field}_input`]: input };
  const data = await api.ask<Record<string, Answer>>(documents.get(field) ?? "", variables);
  return { answer: data[field]!, text: JSON.stringify(data) };
}

async function create(name: string, more: Fields = {}): Promise<{ readonly id: string; readonly attemptId: string }> {
  const input = {
    idempotencyKey: secret(`key-${name}`),
    operation: "paper",
    metadata: { note: secret(`metadata-${name}`) },
    input: { text: secret(`input-${name}`) },
    ...more,
  };
  const { job } = await server.ann.create(input, { traceparent: `00-${secretTraceId}-00f067aa0ba902b7-01` });
  return { id: job!.id, attemptId: job!.latestAttempt.id };
}

const claim = (provider: string, name: string) => ({ workerId: secret(`worker-${name}`), providers: [provider] });

/** Attempt 1 is lost on the inkjet; attempt 2, another shop's on the laser, has won. */
async function takenOver(name: string) {
  const { id } = await create(name);
  const inkjet = server.as("inkjetWorker");
  const claims = (await inkjet.send("claim-attempts", claim("inkjet", `${name}-first`))).claims!;
  const first = holding(inkjet, claims[0]!);
  await first.fail("UNCERTAIN", { message: secret(`failure-${name}-first`) });
  await server.operator.cancelAttempt(first.attempt.id, secret(`reason-${name}`));
  const override = { provider: "laser", overrideGate: true, reason: secret(`override-${name}`) };
  await server.operator.retry(id, first.attempt.id, override);
  const second = holding(other, (await other.send("claim-attempts", claim("laser", `${name}-second`))).claims![0]!);
  await second.running(secret(`request-${name}-second`));
  await second.beat({ message: secret(`progress-${name}-second`) });
  return { id, inkjet, first, second };
}

describe("a worker", () => {
  it("is told of a claimed job its input and trace, and neither owner, key, metadata nor events", async () => {
    const { id, attemptId } = await create("claimed");
    const { text } = await askAll(server.worker.api, "claimAttempts", claim("inkjet", "claimed"));
    expect([text.includes(id), text.includes(attemptId)]).toEqual([true, true]);
    expect(secretsIn(text)).toEqual([secretTraceId, "input-claimed", "worker-claimed"].toSorted());
  });

  it("is told of another's attempt at its job how it stands, and not what was said of it", async () => {
    const { inkjet, first, second } = await takenOver("story");
    await second.complete(secret("result-story"));
    const late = { attemptId: first.attempt.id, leaseToken: first.claim.leaseToken, result: 1 };
    const { answer, text } = await askAll(inkjet, "completeAttempt", late);
    expect(answer.__typename).toBe("ResultDiscarded");
    expect(secretsIn(text)).toEqual(["input-story", "worker-story-first"]);
    expect(text).toContain(second.attempt.id);
  });

  it("is told nothing of an attempt that failed before its own at the same job", async () => {
    const { second } = await takenOver("second");
    const about = { attemptId: second.attempt.id, leaseToken: second.claim.leaseToken };
    const { text } = await askAll(other, "heartbeatAttempt", about);
    const own = ["input-second", "progress-second-second", "request-second-second", "worker-second-second"];
    expect(secretsIn(text)).toEqual(own);
  });

  it("cannot tell an attempt that it never claimed from one that never was, whatever its token works for", async () => {
    const { attemptId } = await create("unclaimed", { notBefore: "2100-01-01T00:00:00Z" });
    for (const field of ["markAttemptRunning", "heartbeatAttempt", "completeAttempt", "failAttempt"]) {
      const about = { leaseToken: randomUUID() };
      const more = field === "failAttempt" ? { certainty: "DEFINITE", code: "X", message: "x" } : {};
      const real = await askAll(other, field, { ...about, ...more, attemptId });
      const none = await askAll(other, field, { ...about, ...more, attemptId: "att_01h455vb4pex5vsknk084sn02q" });
      expect(real.answer.__typename, field).toBe("NotFound");
      expect(real.text, field).toBe(none.text);
    }
  });

  it("bound to one provider neither sees nor settles an attempt on another, not even with its lease token", async () => {
    const { second, inkjet, id } = await takenOver("bound");
    const rows = await server.rowsOf(id);
    const stolen = holding(inkjet, second.claim);
    for (const call of [stolen.running(), stolen.beat(), stolen.complete(1), stolen.fail("DEFINITE")])
      expect(await call).toMatchObject({ __typename: "NotFound" });
    const refusal = await refusalOf(inkjet.send("claim-attempts", claim("laser", "thief")));
    expect(refusal.code).toBe("FORBIDDEN");
    expect(await server.rowsOf(id)).toEqual(rows);
  });
});
