/** Reads what the HTTP side shows, and to which pages. It opens no file: the manifest of persisted documents is read by whoever serves them. */
import { z } from "zod";
import { type Report, readShape } from "./read-shape.ts";

/** An origin is as browsers send it: scheme, host and port, nothing behind, not even a slash. */
function originFault(text: string): string | null {
  if (text === "*") return 'is no origin: for every page, write origins: "*" without the list';
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === text && origin !== "null") return null;
  return `is no origin: write ${origin === "null" ? "https://app.example.com, without a path" : origin}`;
}

const origin = z.string().superRefine((text, context) => {
  const message = originFault(text);
  if (message !== null) context.addIssue({ code: "custom", message });
});

const cors = z
  .strictObject({
    origins: z.union([z.literal("*"), z.array(origin).min(1, { error: "is empty: leave cors out instead" })], {
      error: 'must be "*" or a list of origins such as https://app.example.com',
    }),
    credentials: z.boolean().default(false),
  })
  // Any page on the web could then act as whoever has it open.
  .refine(({ origins, credentials }) => !(origins === "*" && credentials), {
    path: ["credentials"],
    error: 'must not be true with origins "*": name the origins',
  });

const shape = z.strictObject({
  cors: cors.nullable().default(null),
  introspection: z.boolean().default(true),
  graphiql: z.boolean().default(true),
  persistedDocuments: z
    .strictObject({
      manifest: z.string().min(1, { error: "must not be empty" }),
      only: z.boolean().default(false),
    })
    .nullable()
    .default(null),
});

export type HttpSettings = Readonly<z.infer<typeof shape>>;

export const defaultHttpSettings: HttpSettings = shape.parse({});

export function readHttp(value: unknown, report: Report): HttpSettings {
  return readShape(shape, value ?? {}, "http", report) ?? defaultHttpSettings;
}
