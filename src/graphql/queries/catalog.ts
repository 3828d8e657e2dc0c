/** The queries operations and providers: what the configuration knows, for every caller. */
import { builder } from "../builder.ts";
import { OperationRef, ProviderRef } from "../types/refs.ts";

builder.queryFields((t) => ({
  operations: t.field({
    type: [OperationRef],
    description: "What can be asked for, as this server is configured now.",
    resolve: (_root, _arguments, { catalog }) => [...catalog.operations.values()],
  }),
  providers: t.field({
    type: [ProviderRef],
    description: "Who can carry attempts out, as this server is configured now.",
    resolve: (_root, _arguments, { catalog }) => [...catalog.providers.values()],
  }),
}));
