/** Who calls, as a type of the API. */
import { builder } from "../builder.ts";
import type { Viewer } from "../context.ts";
import { RoleEnum } from "./enums.ts";

export const ViewerRef = builder.objectRef<Viewer>("Viewer").implement({
  fields: (t) => ({
    ownerId: t.exposeString("ownerId"),
    roles: t.field({ type: [RoleEnum], resolve: (viewer) => [...viewer.roles] }),
  }),
});
