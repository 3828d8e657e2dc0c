/** Reads how changes reach those who follow jobs. It connects to nothing. */
import { z } from "zod";
import { type Report, readShape, wholeNumber } from "./read-shape.ts";

/** With a host, since everything else has a default; what follows a slash is the number of a database. */
function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return /^rediss?:$/.test(protocol) && hostname !== "" && /^\/?\d*$/.test(pathname);
}

const shape = z.strictObject({
  progressMs: wholeNumber(0, 10_000).default(100),
  redisUrl: z
    .string()
    // Never quoted: there may be a password in it.
    .refine(isRedisUrl, { error: "is no Redis address: write redis://user:password@host:6379" })
    .nullable()
    .default(null),
});

export type LiveSettings = Readonly<z.infer<typeof shape>>;

const defaultLiveSettings: LiveSettings = shape.parse({});

export function readLive(value: unknown, report: Report): LiveSettings {
  return readShape(shape, value ?? {}, "live", report) ?? defaultLiveSettings;
}
