import { Failure } from "../domain/errors.ts";
import { openDatabase } from "../store/open.ts";
import type { Call, Command } from "./command.ts";
import { hasPublishedPassword } from "./demo-passwords.ts";
import { isStoreIn, readDemoState } from "./demo-state.ts";
import { isLoopback } from "./loopback.ts";
import { runServer } from "./run-server.ts";
import { type Settings, serverSettings } from "./settings.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "run the service",
  details: [
    "Serves the API under /v1 and the portal under /portal, and takes frames in on the ingest port, where /ready and",
    "/metrics are, too.",
    "Prints `listening URL` when it is ready.",
    "SIGTERM or Ctrl-C lets the requests under way finish and ends it, within 20 seconds.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: [],
      summary: "run the service",
      options: [],
      settings: serverSettings,
      run: serve,
    },
  ],
};

async function serve(call: Call): Promise<void> {
  const settings = call.settings();
  await refuseOpenDemo(settings);
  await runServer(call, settings, { announce: ({ url }) => call.terminal.out(`listening ${url}`) });
}

/** The demo's passwords are part of the program. `demo` replaces them where others can reach it; here nobody would see the new ones. */
async function refuseOpenDemo({ store, host }: Settings): Promise<void> {
  if (store.engine !== "sqlite" || (await isLoopback(host))) return;
  const { directory } = store;
  if ((await readDemoState(directory)) === null || !(await isStoreIn(directory))) return;
  const database = await openDatabase(store, { create: false });
  const isOpen = await hasPublishedPassword(database).finally(() => database.close());
  if (!isOpen) return;
  const message = `${directory} holds a demo, whose password everybody knows; \`odograph demo --data ${directory} --new-password\` makes another`;
  throw new Failure("REFUSED", message);
}
