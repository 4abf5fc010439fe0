import { get } from "node:http";
import { Failure } from "../../domain/errors.ts";
import { type CommandCall, command } from "../common/command.ts";
import { addressHere } from "./address-here.ts";

/** Twice what the server takes to find out that its store does not answer. */
const patienceMs = 3_000;
/** A server of ours says it in fewer; the rest of another program's page is not read. */
const maxAnswerCharacters = 200;

export const healthyCommand = command({
  name: "healthy",
  summary: "ask the server of these settings whether it is ready",
  details: [
    "For the health check of a container or a supervisor. Asks /ready on the ingest port of a server that was started with",
    "the same settings, and waits 3 seconds at most. One that is starting, stopping or without its store is not ready.",
    "Exit codes: 0 it is ready, 1 it is not.",
  ].join("\n"),
  actions: [
    {
      summary: "ask the server whether it is ready",
      settings: ["ingestPort", "host"],
      run: healthy,
    },
  ],
});

async function healthy({ settings, terminal }: CommandCall): Promise<void> {
  const { host, ingestPort } = settings();
  if (ingestPort === 0) throw new Failure("WRONG_CALL", "--ingest-port: name the server's port; 0 is any free one");
  const url = addressHere(host, ingestPort);
  const { isReady, said } = await ask(`${url}/ready`);
  if (!isReady) throw new Failure("REFUSED", `${url} is not ready: ${said}`);
  terminal.out(`${url} is ready`);
}

/** Not by `fetch`, which would ask the proxy that a container's environment may name. */
function ask(url: string): Promise<{ readonly isReady: boolean; readonly said: string }> {
  return new Promise((resolve) => {
    const refuse = (said: string) => resolve({ isReady: false, said });
    const giveUp = setTimeout(() => {
      refuse(`it did not answer within ${patienceMs / 1_000} seconds`);
      request.destroy();
    }, patienceMs);
    const request = get(url, { agent: false }, async (response) => {
      let text = "";
      try {
        for await (const part of response.setEncoding("utf8")) {
          text += part;
          if (text.length > maxAnswerCharacters) break;
        }
      } catch {
        // What was not sent completely is no status.
      }
      const status = statusIn(text);
      const isReady = response.statusCode === 200 && status === "ready";
      resolve({ isReady, said: isReady ? "" : (status ?? "something else answers there") });
      clearTimeout(giveUp);
      request.destroy();
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(giveUp);
      refuse(error.code === "ECONNREFUSED" ? "nothing listens there" : (error.code ?? error.message));
    });
  });
}

/** Only words that we know: the line ends up in a log. */
function statusIn(text: string): string | null {
  return /^\{"status":"(ready|draining|unavailable)"\}$/.exec(text)?.[1] ?? null;
}
