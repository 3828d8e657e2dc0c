/** The mutation claimAttempts: a worker takes waiting attempts. The claim desk waits and claims; this asks and shows. */
import type { Catalog } from "../../domain/operation.ts";
import { providerIdempotencyKey } from "../../domain/provider-key.ts";
import { limitsOf } from "../../domain/provider-limits.ts";
import type { InputIssue } from "../../domain/refusal.ts";
import { encodeId } from "../../store/ids.ts";
import type { Claim } from "../../store/worker-commands.ts";
import { requireRole } from "../authorise.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";
import { invalidInput, type Member } from "../refusals.ts";
import { AttemptRef } from "../types/refs.ts";
import { InvalidInputRef } from "../types/refusals.ts";
import { listed, quoted } from "../wording.ts";
import { answerAfter } from "./answer-after.ts";
import { rangeIssues, textIssues } from "./check-text.ts";

const maxClaims = 100;
const maxWaitMs = 30_000;

const ClaimAttemptsInput = builder.inputType("ClaimAttemptsInput", {
  fields: (t) => ({
    workerId: t.string({ required: true }),
    providers: t.stringList({ required: true }),
    operations: t.stringList(),
    limit: t.int({ required: true, defaultValue: 1 }),
    claimKey: t.string({
      description:
        "A fresh one for each claim. Repeated after a lost answer, it gets the same attempts under the same tokens; without it they are lost to UNKNOWN.",
    }),
    waitMs: t.int({
      required: true,
      defaultValue: 0,
      description: "With nothing to claim, wait so long for something, at most 30,000, before the empty answer.",
    }),
  }),
});

type Input = typeof ClaimAttemptsInput.$inferInput;

const ClaimRef = builder.objectRef<Claim>("Claim").implement({
  fields: (t) => ({
    attempt: t.expose("attempt", { type: AttemptRef }),
    leaseToken: t.exposeString("leaseToken", {
      description: "Proves the claim in every later call about this attempt.",
    }),
    operationName: t.exposeString("operation"),
    operationVersion: t.exposeInt("operationVersion"),
    input: t.expose("input", { type: "JSON" }),
    providerIdempotencyKey: t.string({
      description:
        "Hand this to the provider as its idempotency key: the same for every attempt of this job at this provider.",
      resolve: ({ attempt }) => providerIdempotencyKey(encodeId("job", attempt.jobId), attempt.provider),
    }),
    traceparent: t.exposeString("traceparent", {
      nullable: true,
      description: "W3C trace context of the createJob call, if it had one.",
    }),
    leaseExpiresAt: t.expose("leaseExpiresAt", { type: "DateTime" }),
    leaseMs: t.exposeInt("leaseMs", {
      description: "The lease's length from this answer on, for workers whose clocks differ: beat at a third of it.",
    }),
    deadlineAt: t.expose("deadlineAt", { type: "DateTime" }),
    deadlineMs: t.exposeInt("deadlineMs", { description: "The time till the deadline from this answer on." }),
  }),
});

type Success = Member<"ClaimAttemptsSuccess", { readonly claims: readonly Claim[] }>;

const ClaimAttemptsSuccessRef = builder.objectRef<Success>("ClaimAttemptsSuccess").implement({
  fields: (t) => ({ claims: t.field({ type: [ClaimRef], resolve: ({ claims }) => claims }) }),
});

const ClaimAttemptsResult = builder.unionType("ClaimAttemptsResult", {
  types: [ClaimAttemptsSuccessRef, InvalidInputRef],
});

async function claimAttempts(input: Input, context: RequestContext) {
  requireRole(context, "WORKER");
  const issues = claimIssues(input, context);
  if (issues.length > 0) return invalidInput(issues);
  requireProviders(input, context);
  const { workerId, limit, claimKey = null, waitMs } = input;
  const providers = [...new Set(input.providers)];
  // Attempts of an operation that this configuration does not have wait for one that has it.
  const operations = input.operations ?? [...context.catalog.operations.keys()];
  const limits = limitsOf(providers.flatMap((name) => context.catalog.providers.get(name) ?? []));
  const command = { workerId, claimedBy: context.viewer.ownerId, providers, limits, operations, limit, claimKey };
  const claims = await context.claims.claim(command, waitMs, context.signal ?? undefined);
  return { __typename: "ClaimAttemptsSuccess" as const, claims };
}

function claimIssues(input: Input, { catalog }: RequestContext): InputIssue[] {
  const none: InputIssue[] = [{ path: "/providers", message: "No provider is named: name those that you work for." }];
  return [
    ...textIssues("/workerId", input.workerId, { min: 1, max: 200 }),
    ...(input.providers.length === 0
      ? none
      : unknownNames("provider", "/providers", input.providers, catalog.providers)),
    ...ownNames(input.providers, catalog),
    ...unknownNames("operation", "/operations", input.operations ?? [], catalog.operations),
    ...rangeIssues("/limit", input.limit, 1, maxClaims),
    ...textIssues("/claimKey", input.claimKey, { min: 1, max: 255 }),
    ...rangeIssues("/waitMs", input.waitMs, 0, maxWaitMs),
  ];
}

function unknownNames(
  what: string,
  path: string,
  names: readonly string[],
  known: ReadonlyMap<string, unknown>,
): InputIssue[] {
  return names.flatMap((name, index) => {
    if (known.has(name)) return [];
    return [
      {
        path: `${path}/${index}`,
        message: `There is no ${what} ${quoted(name)}. Known ones: ${listed(known.keys())}.`,
      },
    ];
  });
}

/** What the server carries out itself is its dispatcher's alone: a worker's attempt there would be one that `run` never sees. */
function ownNames(names: readonly string[], { providers }: Catalog): InputIssue[] {
  return names.flatMap((name, index) => {
    if (providers.get(name)?.run === undefined) return [];
    const external = [...providers.values()].filter((one) => one.run === undefined).map((one) => one.name);
    const message = `The server carries out this provider's attempts itself. Workers claim for ${listed(external)}.`;
    return [{ path: `/providers/${index}`, message }];
  });
}

/** A token that names providers claims for no other. */
function requireProviders({ providers }: Input, { viewer }: RequestContext): void {
  const others = providers.filter((name) => viewer.providers?.includes(name) === false);
  if (others.length === 0) return;
  const own = viewer.providers ?? [];
  const advice = own.length === 0 ? "it names no provider to work for" : `claim for ${listed(own)}`;
  throw forbidden(`This token does not work for ${listed(others)}: ${advice}.`);
}

builder.mutationField("claimAttempts", (t) =>
  t.field({
    type: ClaimAttemptsResult,
    description: "Workers: take waiting attempts.",
    args: { input: t.arg({ type: ClaimAttemptsInput, required: true }) },
    resolve: (_root, { input }, context) => answerAfter(context, claimAttempts(input, context)),
  }),
);
