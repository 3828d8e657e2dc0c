/** The parts of the contract by name, as GraphQL's schema coordinates: Job.closedAt, Job.events(after:), JobState.QUEUED. A union's member is "CreateJobResult = InvalidInput". */
import { readFileSync } from "node:fs";
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isUnionType,
} from "graphql";

export const contract = buildSchema(readFileSync(new URL("../../schema/contract.graphql", import.meta.url), "utf8"));

function typeOf(name: string): GraphQLNamedType {
  const type = contract.getType(name);
  if (type === undefined) throw new Error(`The contract has no type ${name}.`);
  return type;
}

/** Of a type. An argument that must be given is part of its field: whoever asks for the one gives the other. */
export function partsOf(typeName: string): string[] {
  const type = typeOf(typeName);
  if (isEnumType(type)) return type.getValues().map(({ name }) => `${typeName}.${name}`);
  if (isUnionType(type)) return type.getTypes().map(({ name }) => `${typeName} = ${name}`);
  if (isInputObjectType(type)) return Object.keys(type.getFields()).map((name) => `${typeName}.${name}`);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, args }) => {
    const given = args.filter((argument) => !isRequiredArgument(argument));
    return [`${typeName}.${name}`, ...given.map((argument) => `${typeName}.${name}(${argument.name}:)`)];
  });
}

/** Of what a test file takes upon itself: "JobEdge", "Query.jobs" with its arguments, or "Job without attempts, events". */
export function partsOfClaim(claim: string): string[] {
  const [typeName = "", ...omitted] = claim.split(/ without |, |\./);
  const isAbout = (part: string, field: string) =>
    part === `${typeName}.${field}` || part.startsWith(`${typeName}.${field}(`);
  const parts = partsOf(typeName);
  if (claim.includes(".")) return parts.filter((part) => isAbout(part, omitted[0] ?? ""));
  return parts.filter((part) => !omitted.some((field) => isAbout(part, field)));
}

/** Every type that has parts. */
export function typesWithParts(): string[] {
  const types = Object.values(contract.getTypeMap());
  return types.filter((type) => !isScalarType(type) && !type.name.startsWith("__")).map((type) => type.name);
}

/** What must be seen of a part: of a field that may be null a value and a null. */
export function sightsOf(part: string): string[] {
  const [, typeName = "", name = ""] = /^(\w+)\.(\w+)$/.exec(part) ?? [];
  const type = contract.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return field === undefined || isNonNullType(field.type) ? [part] : [part, `${part} null`];
}
