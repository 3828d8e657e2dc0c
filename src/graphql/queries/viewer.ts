/** The query viewer: as whom the caller was recognised. */
import { builder } from "../builder.ts";
import { ViewerRef } from "../types/viewer.ts";

builder.queryField("viewer", (t) =>
  t.field({
    type: ViewerRef,
    description: "As whom the caller was recognised, by the token.",
    resolve: (_root, _arguments, { viewer }) => viewer,
  }),
);
