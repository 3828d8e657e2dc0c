/** Tells drizzle-kit where the tables are and where migrations go; the server never reads it. */
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: ["./src/store/tables.ts", "./src/store/control-tables.ts"],
  out: "./drizzle",
});
