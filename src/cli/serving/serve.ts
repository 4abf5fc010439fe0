import { Failure } from "../../domain/errors.ts";
import { type CommandCall, command } from "../common/command.ts";
import { keepDemosBeside } from "../demo/demo-beside.ts";
import { type Settings, serverSettings } from "../settings/settings.ts";
import { withStore } from "../store/open-store.ts";
import { isLoopback, serverOriginOf } from "./address-here.ts";
import { hasPublishedPassword } from "./demo-passwords.ts";
import { isStoreIn, readDemoState } from "./demo-state.ts";
import { runServer } from "./run-server.ts";
import { offerSetup } from "./setup-link.ts";

export const serveCommand = command({
  name: "serve",
  summary: "run the service",
  details: [
    "Serves the API under /v1 and the portal under /portal. The ingest port receives frames, and has /ready and /metrics.",
    "Prints `listening URL` when it is ready. If there is no account yet, a link to create one follows: without a terminal,",
    "it is in the file `setup-link` of the data directory.",
    "SIGTERM or Ctrl-C stops it within 20 seconds, after the requests in progress.",
  ].join("\n"),
  settings: serverSettings,
  run: serve,
});

async function serve(call: CommandCall): Promise<void> {
  const settings = call.settings();
  await refuseOpenDemo(call, settings);
  const { terminal } = call;
  const { dataDirectory } = settings;
  await runServer(call, settings, {
    announce: ({ url }) => terminal.out(`listening ${url}`),
    makesDemos: true,
    afterStart: async (listening, database, observe, startMailing) => {
      const origin = serverOriginOf(settings, listening.url);
      const ends = [
        await offerSetup({ database, origin, dataDirectory, terminal, observe }),
        keepDemosBeside({ database, listening, observe, startMailing }),
      ];
      return async () => {
        await Promise.all(ends.map((end) => end()));
      };
    },
  });
}

/** Everybody knows the demo's passwords. `demo` replaces them if others can reach it; here nobody would see the new ones. */
async function refuseOpenDemo(call: CommandCall, { store, host }: Settings): Promise<void> {
  if (store.engine !== "sqlite" || (await isLoopback(host))) return;
  const { directory } = store;
  if ((await readDemoState(directory)) === null || !(await isStoreIn(directory))) return;
  if (!(await withStore(call, hasPublishedPassword))) return;
  const message = `${directory} holds a demo with its published password; replace that first: \`odograph demo --data ${directory} --new-password\``;
  throw new Failure("REFUSED", message);
}
