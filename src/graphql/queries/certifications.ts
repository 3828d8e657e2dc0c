/** The query certifications: a page of the certification runs, for every caller. */
import { textFault } from "../../domain/json.ts";
import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { badUserInput } from "../errors.ts";
import { CertificationConnectionRef, pageArguments } from "../types/connections.ts";
import { pageOf, type SortedList } from "./page.ts";

const list: SortedList<Certification> = { name: "certifications", kind: "cert", instantOf: (run) => run.startedAt };

/** The condition as the store takes it; none for null. */
function condition<Name extends string>(
  name: Name,
  value: string | null | undefined,
): { readonly [K in Name]?: string } {
  if (value === null || value === undefined) return {};
  const fault = textFault(value);
  if (fault !== null) throw badUserInput(`${name} ${fault}.`);
  return { [name]: value } as { readonly [K in Name]?: string };
}

builder.queryField("certifications", (t) =>
  t.field({
    type: CertificationConnectionRef,
    description: "Newest first.",
    args: { operation: t.arg.string(), provider: t.arg.string(), ...pageArguments },
    resolve: (_root, { operation, provider, ...asked }, { store }) => {
      const filter = { ...condition("operation", operation), ...condition("provider", provider) };
      return pageOf(list, asked, false, {
        page: (request) => store.read.certificationPage(filter, request),
        count: async () => null,
      });
    },
  }),
);
