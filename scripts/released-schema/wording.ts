/** Who notices a change of the schema, and how, in words for whoever must decide about it. */
import type { BreakingChange, BreakingChangeType, DangerousChange, DangerousChangeType } from "graphql";

const refused = "its validation refuses every document that";

const whoBreaks: Readonly<Record<BreakingChangeType, string>> = {
  TYPE_REMOVED: `${refused} names the type, in a fragment or a variable`,
  TYPE_CHANGED_KIND: `${refused} uses the type as what it was`,
  TYPE_REMOVED_FROM_UNION: `${refused} has a fragment on the type there`,
  VALUE_REMOVED_FROM_ENUM: `callers that send the value are refused`,
  REQUIRED_INPUT_FIELD_ADDED: "callers that leave the field out, as all of them could, are refused",
  IMPLEMENTED_INTERFACE_REMOVED: `${refused} has a fragment on one of the two where the other stands`,
  FIELD_REMOVED: `${refused} asks for the field, or sends it`,
  FIELD_CHANGED_KIND: "callers that read, or send, what it was are given, or must send, something else",
  REQUIRED_ARG_ADDED: `${refused} leaves the argument out, as all of them could`,
  ARG_REMOVED: `${refused} gives the argument`,
  ARG_CHANGED_KIND: `${refused} gives the argument in a variable of the old type`,
  DIRECTIVE_REMOVED: `${refused} has the directive`,
  DIRECTIVE_ARG_REMOVED: `${refused} gives the directive's argument`,
  REQUIRED_DIRECTIVE_ARG_ADDED: `${refused} has the directive without the argument`,
  DIRECTIVE_REPEATABLE_REMOVED: `${refused} repeats the directive in one place`,
  DIRECTIVE_LOCATION_REMOVED: `${refused} has the directive there`,
};

const whoIsSurprised: Readonly<Record<DangerousChangeType, string>> = {
  VALUE_ADDED_TO_ENUM: "clients whose code knows every value meet one more",
  TYPE_ADDED_TO_UNION: "clients whose code knows every member meet one more, and get none of its fields",
  OPTIONAL_INPUT_FIELD_ADDED: "no document; a client that sends objects on unread may send it now",
  OPTIONAL_ARG_ADDED: "no document",
  IMPLEMENTED_INTERFACE_ADDED: "clients with fragments on the interface get more matches",
  ARG_DEFAULT_VALUE_CHANGE: "callers that leave it out get something else",
};

function sentence(description: string, who: string): string {
  return `  ${description.replace(/\.$/, "")}: ${who}.`;
}

export function breakingLine({ type, description }: BreakingChange): string {
  return sentence(description, whoBreaks[type]);
}

export function dangerousLine({ type, description }: DangerousChange): string {
  return sentence(description, whoIsSurprised[type]);
}
