/** Providers, as a type of the API: what the configuration says of them, and whether an operator has paused them. */
import { encodeName } from "../../store/ids.ts";
import { NodeRef, OperationRef, ProviderRef } from "./refs.ts";

ProviderRef.implement({
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (provider) => encodeName("prov", provider.name) }),
    name: t.exposeString("name"),
    description: t.exposeString("description", { nullable: true }),
    operations: t.field({
      type: [OperationRef],
      resolve: ({ name }, _arguments, { catalog }) =>
        [...catalog.operations.values()].filter((operation) => operation.providers.includes(name)),
    }),
    revision: t.exposeString("revision", {
      description: "Changes with the provider's configuration: model, endpoint, parameters.",
    }),
    pausedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "While set, no attempt on it is claimed or started by itself.",
      resolve: async ({ name }, _arguments, { loaders }) =>
        (await loaders.providerSetting.load(name))?.pausedAt ?? null,
    }),
    pauseReason: t.string({
      nullable: true,
      resolve: async ({ name }, _arguments, { loaders }) =>
        (await loaders.providerSetting.load(name))?.pauseReason ?? null,
    }),
  }),
});
