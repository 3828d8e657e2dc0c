/** The demo's command: reads what it was asked for and says in one line what is wrong with it. The story is in the files of demo/. */
import { Complaint } from "./demo/complaint.ts";
import { readArguments, usage } from "./demo/read-arguments.ts";
import { readDocument } from "./demo/read-document.ts";

async function run(): Promise<number> {
  const { exit, file, help, port } = readArguments(process.argv.slice(2), process.env);
  if (help) {
    console.log(usage);
    return 0;
  }
  const document = await readDocument(file);
  // Loaded when there is something to play: a whole server takes its time.
  const { play } = await import("./demo/play.ts");
  return await play({ document, port, exit });
}

function complain(error: unknown): number {
  const isForPeople = error instanceof Complaint || (error instanceof Error && error.name === "StartupFault");
  const message = error instanceof Error ? error.message : String(error);
  console.error(isForPeople ? message : `The demo broke off: ${message}`);
  return 1;
}

process.exit(await run().catch(complain));
