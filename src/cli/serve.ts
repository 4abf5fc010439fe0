import { answerApi } from "../api/handler.ts";
import { Failure } from "../domain/errors.ts";
import { answerIngest } from "../ingest/port.ts";
import { createLog } from "../observe/log.ts";
import { createMetrics } from "../observe/metrics.ts";
import type { Observe } from "../observe/observation.ts";
import { openDatabase } from "../store/open.ts";
import type { Call, Command } from "./command.ts";
import type { Settings } from "./settings.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "run the service",
  details: [
    "Serves the API under /v1, and on the ingest port /ready and /metrics. Prints `listening URL` when it is ready.",
    "SIGTERM or Ctrl-C lets the requests under way finish and ends it.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: [],
      summary: "run the service",
      options: [],
      settings: ["port", "ingestPort", "host", "logLevel", "logFormat"],
      run: serve,
    },
  ],
};

async function serve(call: Call): Promise<void> {
  const settings = call.settings();
  const metrics = createMetrics();
  const log = createLog({ level: settings.logLevel, format: logFormat(settings), write: call.terminal.note });
  const observe: Observe = (observation) => {
    log(observation);
    metrics.observe(observation);
  };
  const database = await openDatabase(settings.store, { create: true, observe });
  try {
    const api = listen(settings.host, settings.port, "port", answerApi(database, observe));
    const ingest = listen(settings.host, settings.ingestPort, "ingest-port", answerIngest(database, metrics));
    call.terminal.out(`listening ${api.url.origin}`);
    observe({ kind: "server_listening", url: api.url.origin, engine: database.engine });

    observe({ kind: "server_draining", signal: await stopSignal() });
    await Promise.all([api.stop(), ingest.stop()]);
    observe({ kind: "server_stopped" });
  } finally {
    await database.close();
  }
}

function listen(
  hostname: string,
  port: number,
  flag: string,
  fetch: (request: Request) => Promise<Response>,
): Bun.Server<undefined> {
  try {
    return Bun.serve({ hostname, port, fetch });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === "EADDRINUSE" ? "is taken by another program" : `cannot be used (${code})`;
    throw new Failure("PORT_UNAVAILABLE", `${hostname}:${port} ${reason}; choose another with --${flag}`, {
      cause: error,
    });
  }
}

function logFormat({ logFormat }: Settings): "json" | "human" {
  if (logFormat !== "auto") return logFormat;
  return process.stderr.isTTY ? "human" : "json";
}

/** Resolves at the first request to stop. A second one ends the process at once, as it does by default. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}
