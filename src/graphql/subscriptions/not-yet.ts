/** The subscriptions that the contract promises and this version does not offer: starting one says NOT_AVAILABLE_YET. */

import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";
import { notAvailableYet, refuseSubscription } from "../errors.ts";
import { CertificationRef } from "../types/refs.ts";

builder.subscriptionFields((t) => ({
  certificationUpdated: t.field({
    type: CertificationRef,
    description: "Certification runs, check by check.",
    args: { id: t.arg.id({ required: true }) },
    subscribe: (): AsyncIterable<Certification> => {
      throw refuseSubscription(notAvailableYet("certificationUpdated"));
    },
    resolve: (certification) => certification,
  }),
}));
