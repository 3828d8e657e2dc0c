/** Every write to an attempt that the invariants forbid is refused by the database itself, to the table's owner in psql too, by the invariant's number. */
import { expectRefusals } from "../support/write-in-psql.ts";
import { forbiddenAttempts } from "./forbidden/attempts.ts";

expectRefusals(forbiddenAttempts);
