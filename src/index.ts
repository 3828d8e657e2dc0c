/** The package's front door: what a configuration file imports. The server behind it is the program's, not the library's. */

export type { Json } from "./domain/json.ts";
export type { LookupCall, Pace, Provider, ProviderCall } from "./domain/operation.ts";
export type { Failure, Outcome, ProgressReport, Remedy } from "./domain/outcome.ts";
export type { ProviderDeclaration, ProviderIdentity } from "./providers/provider.ts";
export { defineProvider, externalProvider } from "./providers/provider.ts";
export type { ScriptedProvider, ScriptStep } from "./providers/scripted.ts";
export { scriptedProvider } from "./providers/scripted.ts";
export type {
  AuthDefinition,
  HttpDefinition,
  JobTokensDefinition,
  JwtDefinition,
  LimitsDefinition,
  TokenDefinition,
} from "./server/config/access-definitions.ts";
export type {
  ContractPredicate,
  InputOf,
  OnejobConfig,
  OperationContract,
  OperationDefinition,
  ResultOf,
} from "./server/config/definitions.ts";
export { defineConfig, defineOperation } from "./server/config/definitions.ts";
