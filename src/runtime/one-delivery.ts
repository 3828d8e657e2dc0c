/**
 * What was read once is handed to all its followers as one object, so that whoever makes something of it can tell that it is
 * the same. Nothing is kept alive by this: it goes with the snapshot.
 */
import type { Attempt, JobEvent } from "../domain/job.ts";
import type { AttemptDelivery, EventDelivery, JobSnapshot, JobsDelivery } from "./ports.ts";

function madeOnce<Part extends object, Delivery>(make: (part: Part, snapshot: JobSnapshot) => Delivery) {
  const made = new WeakMap<JobSnapshot, WeakMap<Part, Delivery>>();
  return (part: Part, snapshot: JobSnapshot): Delivery => {
    const ofSnapshot = made.get(snapshot) ?? new WeakMap<Part, Delivery>();
    made.set(snapshot, ofSnapshot);
    const delivery = ofSnapshot.get(part) ?? make(part, snapshot);
    ofSnapshot.set(part, delivery);
    return delivery;
  };
}

export const deliveryOfEvent = madeOnce((event: JobEvent, snapshot): EventDelivery => ({ event, snapshot }));

export const deliveryOfAttempt = madeOnce((attempt: Attempt, snapshot): AttemptDelivery => ({ attempt, snapshot }));

const changes = new WeakMap<JobSnapshot, JobsDelivery>();

export function deliveryOfJob(snapshot: JobSnapshot): JobsDelivery {
  const delivery = changes.get(snapshot) ?? { kind: "changed", snapshot };
  changes.set(snapshot, delivery);
  return delivery;
}
