/** Operations and the gates of their providers, as types of the API. The gate itself is the store's: it is asked, not imitated. */

import type { GateAnswer } from "../../domain/certification.ts";
import type { Operation, Provider } from "../../domain/operation.ts";
import { encodeName } from "../../store/ids.ts";
import { builder } from "../builder.ts";
import type { RequestContext } from "../context.ts";
import { EffectClassEnum, NotCertifiedReasonEnum } from "./enums.ts";
import { CertificationRef, NodeRef, OperationRef, ProviderRef } from "./refs.ts";

interface Gate extends GateAnswer {
  readonly provider: Provider;
}

const CertificationGateRef = builder.objectRef<Gate>("CertificationGate").implement({
  description: "May this provider take this operation over?",
  fields: (t) => ({
    provider: t.expose("provider", { type: ProviderRef }),
    open: t.exposeBoolean("open"),
    reason: t.expose("reason", {
      type: NotCertifiedReasonEnum,
      nullable: true,
      description: "Why not; null when open.",
    }),
    certification: t.field({
      type: CertificationRef,
      nullable: true,
      description: "The newest certification, if there was one.",
      resolve: ({ certificationId }, _arguments, { loaders }) =>
        certificationId === null ? null : loaders.certification.load(certificationId),
    }),
  }),
});

function providersOf(operation: Operation, { catalog }: RequestContext): Provider[] {
  return operation.providers.flatMap((name) => catalog.providers.get(name) ?? []);
}

async function gateOf(operation: Operation, provider: Provider, { loaders }: RequestContext): Promise<Gate> {
  const answer = await loaders.gate.load({ operation: operation.name, provider: provider.name });
  if (answer === null) throw new Error(`The gate of ${operation.name} on ${provider.name} was not answered.`);
  return { ...answer, provider };
}

OperationRef.implement({
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (operation) => encodeName("op", operation.name) }),
    name: t.exposeString("name"),
    version: t.exposeInt("version"),
    description: t.exposeString("description", { nullable: true }),
    effectClass: t.expose("effectClass", { type: EffectClassEnum }),
    contractDigest: t.exposeString("contractDigest", {
      description: "Digest of the contract: any change of it voids the certifications.",
    }),
    inputSchema: t.expose("inputSchema", { type: "JSON", description: "JSON Schema 2020-12." }),
    outputSchema: t.expose("outputSchema", { type: "JSON" }),
    providers: t.field({
      type: [ProviderRef],
      resolve: (operation, _arguments, context) => providersOf(operation, context),
    }),
    gates: t.field({
      type: [CertificationGateRef],
      description: "One for each provider: what the gate would answer now.",
      resolve: (operation, _arguments, context) =>
        Promise.all(providersOf(operation, context).map((provider) => gateOf(operation, provider, context))),
    }),
  }),
});
