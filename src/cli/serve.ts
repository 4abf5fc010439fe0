import type { Call, Command } from "./command.ts";
import { runServer } from "./run-server.ts";
import { serverSettings } from "./settings.ts";

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
  await runServer(call, call.settings(), { announce: ({ url }) => call.terminal.out(`listening ${url}`) });
}
