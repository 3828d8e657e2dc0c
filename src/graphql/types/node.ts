/** The Node interface: whatever has an id of its own, and how a value says which type it is. */
import { NodeRef } from "./refs.ts";

NodeRef.implement({
  // Each type makes its id itself, from the kind of thing that it is: see store/ids.ts.
  fields: (t) => ({ id: t.id({ nullable: false }) }),
});

/** The value as a Node. GraphQL asks an abstract value for its type's name, which rows and configuration do not carry. */
export function asNode(typename: string, value: object | null): object | null {
  return value === null ? null : (Object.create(value, { __typename: { value: typename } }) as object);
}
