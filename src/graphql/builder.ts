/** The schema builder that every type and field of the API is declared on. It declares none itself. */
import SchemaBuilder from "@pothos/core";
import type { Json } from "../domain/json.ts";
import type { RequestContext } from "./context.ts";

export interface SchemaTypes {
  Context: RequestContext;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: Json; Output: Json };
  };
  DefaultFieldNullability: false;
}

/** As in the contract, an output field is non-null unless it says otherwise. */
export const builder = new SchemaBuilder<SchemaTypes>({ defaultFieldNullability: false });

builder.queryType();
builder.mutationType();
builder.subscriptionType();
