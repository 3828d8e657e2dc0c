/** Every write to the audit log and to the creation rates that the database forbids, with the refusal that it must meet. It runs none. */
import type { Forbidden } from "../../support/write-in-psql.ts";

const rate = (ends: string, amounts: string) =>
  `insert into creation_rates (owner_id, per_ms, slice_ends, amounts) values ('ann', 1000, ${ends}, ${amounts})`;

export const forbiddenControls: readonly Forbidden[] = [
  ["an audit entry changed", "update audit_log set actor = 'nobody'", "OJ008", /^I8: .* never changes/],
  ["an audit entry changed into itself", "update audit_log set reason = reason", "OJ008", /^I8: /],
  ["an audit entry deleted", "delete from audit_log", "OJ008", /^I8: .* never deleted/],
  ["the audit log truncated", "truncate audit_log", "OJ008", /^I8: .* never truncated/],
  [
    "an audit entry under an id that is taken",
    "insert into audit_log select * from audit_log",
    "23505",
    /audit_log_pkey/,
  ],
  ["a creation rate with a slice that has no amount", rate("'{2000-01-01}'", "'{}'"), "23514", /creation_rates_slices/],
  [
    "an owner's second creation rate over a span",
    `${rate("'{}'", "'{}'")}, ('ann', 1000, '{}', '{}')`,
    "23505",
    /creation_rates_pkey/,
  ],
];
