/**
 * Loaded by a server's Node before the program, it makes the store wrong in two ways that look right: creates look whether the key
 * is free before they insert, and completions are guarded by the job's state alone. It is for showing that the check finds them.
 */
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const breaks = [
  {
    file: "/src/store/write/create-jobs.ts",
    edits: [
      ["on conflict (owner_id, idempotency_key) do nothing", ""],
      [
        "order by c.owner_id, c.idempotency_key",
        `where not exists (select from jobs j where j.owner_id = c.owner_id and j.idempotency_key = c.idempotency_key)
         order by c.owner_id, c.idempotency_key`,
      ],
    ],
  },
  {
    file: "/src/store/write/complete-attempts.ts",
    edits: [
      ["j.version = h.job_version and j.completed_by is null and j.latest_attempt = h.attempt", "true"],
      ["j.state in ('RUNNING', 'UNKNOWN')", "j.state <> 'CANCELLED'"],
    ],
  },
];

function edited(source, { file, edits }) {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${file} no longer holds the text to be broken: ${from}`);
    return text.replace(from, to);
  }, source);
}

/** A hook of Node's: hands out the module's text, with the edits of the file that it is. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const broken = breaks.find(({ file }) => url.split("?")[0].endsWith(file));
  return broken === undefined ? loaded : { ...loaded, source: edited(String(loaded.source), broken) };
}

if (isMainThread) register(import.meta.url);
