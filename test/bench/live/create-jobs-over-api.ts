/** Callers who create jobs over the API, each with the next as soon as one is answered: how many a second a server takes. */
import { randomUUID } from "node:crypto";
import { operations } from "./bench-config.ts";
import { callApi } from "./call-api.ts";

const callers = 32;

const creation = `mutation ($input: CreateJobInput!) { createJob(input: $input) { __typename ... on CreateJobSuccess { created job { id } } } }`;

/** Creations a second until the signal is aborted. */
export async function createJobsOverApi(url: string, signal: AbortSignal): Promise<number> {
  const startMs = performance.now();
  let created = 0;
  const call = async (): Promise<void> => {
    while (!signal.aborted) {
      const input = { operation: operations.left, idempotencyKey: randomUUID(), input: { text: "Menu" } };
      await callApi(url, creation, { input }, "CreateJobSuccess");
      created += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (created * 1_000) / (performance.now() - startMs);
}
