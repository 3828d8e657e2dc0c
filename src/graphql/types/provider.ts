/** Providers, as a type of the API: what the configuration says of them, and whether an operator has paused them. */
import type { Provider } from "../../domain/operation.ts";
import { encodeName } from "../../store/ids.ts";
import { maySeeConfiguration } from "../authorise.ts";
import type { RequestContext } from "../context.ts";
import { NodeRef, OperationRef, ProviderRef } from "./refs.ts";

/** A field's resolver; to a token for one job, which meets a provider in a refusal alone, it shows `otherwise`. */
function configuredOr<Value, Otherwise>(
  otherwise: Otherwise,
  resolve: (provider: Provider, context: RequestContext) => Value,
): (provider: Provider, given: object, context: RequestContext) => Value | Otherwise {
  return (provider, _given, context) => (maySeeConfiguration(context.viewer) ? resolve(provider, context) : otherwise);
}

ProviderRef.implement({
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({ resolve: (provider) => encodeName("prov", provider.name) }),
    name: t.exposeString("name"),
    description: t.string({ nullable: true, resolve: configuredOr(null, (provider) => provider.description) }),
    operations: t.field({
      type: [OperationRef],
      resolve: configuredOr([], ({ name }, { catalog }) =>
        [...catalog.operations.values()].filter((operation) => operation.providers.includes(name)),
      ),
    }),
    revision: t.string({
      description: "Changes with the provider's configuration: model, endpoint, parameters.",
      resolve: configuredOr("", (provider) => provider.revision),
    }),
    pausedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "While set, no attempt on it is claimed or started by itself.",
      resolve: configuredOr(
        null,
        async ({ name }, { loaders }) => (await loaders.providerSetting.load(name))?.pausedAt ?? null,
      ),
    }),
    pauseReason: t.string({
      nullable: true,
      resolve: configuredOr(
        null,
        async ({ name }, { loaders }) => (await loaders.providerSetting.load(name))?.pauseReason ?? null,
      ),
    }),
  }),
});
