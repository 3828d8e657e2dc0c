/** Every write to the audit log and the creation rates that is forbidden is refused by the database itself, to the table's owner in psql too. */
import { expectRefusals } from "../support/write-in-psql.ts";
import { forbiddenControls } from "./forbidden/controls.ts";

expectRefusals(forbiddenControls);
