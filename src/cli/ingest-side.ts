import { Failure } from "../domain/errors.ts";
import type { MetricsSnapshot } from "../observe/metrics.ts";
import type { FromIngest, IngestSettings, ToIngest } from "./ingest-messages.ts";

export interface IngestSide {
  readonly url: string;
  /** Rejects when it ends unasked. */
  readonly lost: Promise<never>;
  stop(): Promise<void>;
}

/** Starts the ingest side in a thread of its own and waits until it listens. */
export async function startIngestSide(
  settings: IngestSettings,
  log: (line: string) => void,
  metrics: () => readonly MetricsSnapshot[],
): Promise<IngestSide> {
  // Compiled into one file, the program carries the thread's file beside its own (scripts/bundled-packages.ts names it).
  // Its heap is small in the engine's words, so that it can be sized apart from that of the API (bin/odograph).
  const thread = new Worker(new URL("./ingest-thread.ts", import.meta.url).href, { smol: true });
  const listening = Promise.withResolvers<string>();
  const lost = Promise.withResolvers<never>();
  const stopped = Promise.withResolvers<void>();
  // Nobody may be waiting yet when it is lost.
  lost.promise.catch(() => {});
  const send = (message: ToIngest) => thread.postMessage(message);
  const fail = (error: Error) => {
    listening.reject(error);
    lost.reject(error);
    stopped.resolve();
  };
  thread.onmessage = ({ data }: MessageEvent<FromIngest>) => {
    switch (data.kind) {
      case "listening":
        listening.resolve(data.url);
        break;
      case "log":
        log(data.line);
        break;
      case "metrics_wanted":
        send({ kind: "metrics", snapshots: metrics() });
        break;
      case "failed":
        fail(data.code === null ? new Error(data.message) : new Failure(data.code, data.message));
        break;
      case "stopped":
        stopped.resolve();
        break;
    }
  };
  thread.onerror = (event) => fail(new Error(`the ingest side failed: ${event.message}`));
  send({ kind: "start", settings });
  const stop = async () => {
    send({ kind: "stop" });
    await stopped.promise;
    thread.terminate();
  };
  try {
    return { url: await listening.promise, lost: lost.promise, stop };
  } catch (error) {
    thread.terminate();
    throw error;
  }
}
