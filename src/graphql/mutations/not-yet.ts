/**
 * The mutations that the contract promises and this version does not carry out: their names, inputs and answers are fixed,
 * and calling one says NOT_AVAILABLE_YET. One that is built moves to a file of its own.
 */
import type { InputRef, UnionRef } from "@pothos/core";
import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { notAvailableYet } from "../errors.ts";
import type { Member } from "../refusals.ts";
import { CertificationRef } from "../types/refs.ts";
import * as Types from "../types/refusals.ts";

type SchemaTypes = typeof builder.$inferSchemaTypes;

function promised(
  name: string,
  description: string | undefined,
  input: InputRef<object>,
  answer: UnionRef<SchemaTypes, object>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: answer,
      ...(description !== undefined && { description }),
      args: { input: t.arg({ type: input, required: true }) },
      resolve: () => {
        throw notAvailableYet(name);
      },
    }),
  );
}

function withCertification<Name extends string>(name: Name) {
  return builder.objectRef<Member<Name, { readonly certification: Certification }>>(name).implement({
    fields: (t) => ({
      certification: t.field({ type: CertificationRef, resolve: ({ certification }) => certification }),
    }),
  });
}

promised(
  "certifyProvider",
  "Operators: run an operation's contract against a provider.",
  builder.inputType("CertifyProviderInput", {
    fields: (t) => ({ operation: t.string({ required: true }), provider: t.string({ required: true }) }),
  }),
  builder.unionType("CertifyProviderResult", {
    types: [withCertification("CertifyProviderSuccess"), Types.InvalidInputRef],
  }),
);

promised(
  "revokeCertification",
  "Operators: withdraw a certification.",
  builder.inputType("RevokeCertificationInput", {
    fields: (t) => ({ certificationId: t.id({ required: true }), reason: t.string({ required: true }) }),
  }),
  builder.unionType("RevokeCertificationResult", {
    types: [withCertification("RevokeCertificationSuccess"), Types.InvalidInputRef, Types.NotFoundRef],
  }),
);
