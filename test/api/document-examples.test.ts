/** The examples of docs/api.md, sent to a server as every role: who is let in is who the page says, and no example is refused as wrong. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleVariables } from "../../scripts/api-page/example-variables.ts";
import { documentOf } from "../support/api-client.ts";
import type { Caller } from "../support/api-config.ts";
import { postGraphql } from "../support/api-raw.ts";
import { newJob } from "../support/api-reach.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { overSocket } from "../support/api-streams.ts";

const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
const callers = { OWNER: "ann", WORKER: "worker", OPERATOR: "operator" } as const satisfies Record<string, Caller>;
const roles = Object.keys(callers) as (keyof typeof callers)[];

interface Example {
  /** The document's name. */
  readonly name: string;
  readonly kind: string;
  /** What the page says of the callers, as the code that each role meets. */
  readonly codes: readonly string[];
}

function codesSaid(section: string): string[] {
  if (section.includes("**Not available yet:**")) return roles.map(() => "NOT_AVAILABLE_YET");
  const who = /\*\*Who may call:\*\* (.+)/.exec(section)?.[1] ?? "";
  return roles.map((role) => (who === "every caller." || who.includes(`\`${role}\``) ? "" : "FORBIDDEN"));
}

/** The sections of queries, mutations and subscriptions, each of which names its document. */
const examples: readonly Example[] = page.split(/^<a id="/m).flatMap((section) => {
  const kind = /^(query|mutation|subscription)-/.exec(section)?.[1];
  const name = /\*\*Example:\*\* \[([\w-]+)\.graphql\]/.exec(section)?.[1];
  return kind === undefined || name === undefined ? [] : [{ name, kind, codes: codesSaid(section) }];
});

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

async function ask({ name }: Example, caller: Caller): Promise<string> {
  const body = JSON.stringify({ query: documentOf(name), variables: exampleVariables[name] ?? {} });
  const { codes, text } = await postGraphql(server.url, body, caller);
  // A refusal of what the example says itself is as bad as an error: what it names may be missing, no more.
  expect(text, name).not.toContain('"INVALID_INPUT"');
  return codes.join();
}

/** Whoever is told that the job is not there, or is shown one that has just been made, has been let in. */
async function follow({ name }: Example, caller: Caller): Promise<string> {
  const streams = overSocket(server.url, caller);
  const stream = streams.open(name, exampleVariables[name] ?? {});
  while (!stream.ended && stream.seen.length === 0) await newJob(server);
  streams.close();
  return stream.errors.map(({ code }) => (code === "NOT_FOUND" ? "" : code)).join();
}

describe("an example of the page is answered to whom the page says, and to no other role", () => {
  it.each(examples)("$name", async (example) => {
    const met: string[] = [];
    for (const role of roles) {
      const send = example.kind === "subscription" ? follow : ask;
      met.push(await send(example, callers[role]));
    }
    expect(met).toEqual(example.codes);
  });

  it("for every document that there is", () => {
    expect(examples.length).toBeGreaterThanOrEqual(34);
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
    // Variables without a document would be shown nowhere.
    expect(Object.keys(exampleVariables).filter((name) => !examples.some((example) => example.name === name))).toEqual(
      [],
    );
  });
});
