import { type ErrorCode, Failure } from "../domain/errors.ts";
import type { MetricsSnapshot } from "../observe/metrics.ts";
import type { AccountCharges, KeyCharges } from "../store/access/key-counters.ts";
import type { FromIngest, IngestSettings, ToIngest } from "./ingest-thread.ts";

export interface IngestSide {
  readonly url: string;
  /** By family: the ports on which trackers are listened to. */
  readonly trackerPorts: Readonly<Record<string, number>>;
  /** Rejects when it ends unexpectedly. */
  readonly lost: Promise<never>;
  /** Stores what the API has counted with the next commit of frames: this thread would have to compete for the write lock. */
  saveCharges(keys: readonly KeyCharges[], accounts: readonly AccountCharges[]): Promise<void>;
  /** Asks senders to go elsewhere, and leaves the broker. Frames that come nevertheless are stored. */
  drain(): void;
  stop(): Promise<void>;
}

/** Starts the ingest side in its own thread and waits until it listens. */
export async function startIngestSide(
  settings: IngestSettings,
  log: (line: string) => void,
  metrics: () => readonly MetricsSnapshot[],
): Promise<IngestSide> {
  // The compiled program contains the thread's file, too (scripts/bundled-packages.ts names it). With `smol` it collects
  // garbage more often, and takes less memory.
  const thread = new Worker(new URL("./ingest-thread.ts", import.meta.url).href, { smol: true });
  const listening = Promise.withResolvers<Pick<IngestSide, "url" | "trackerPorts">>();
  const lost = Promise.withResolvers<never>();
  const stopped = Promise.withResolvers<void>();
  // Nobody may be waiting yet when it is lost.
  lost.promise.catch(() => {});
  const saving: PromiseWithResolvers<void>[] = [];
  const send = (message: ToIngest) => thread.postMessage(message);
  const fail = (error: Error) => {
    listening.reject(error);
    lost.reject(error);
    stopped.resolve();
    for (const { reject } of saving.splice(0)) reject(error);
  };
  thread.onmessage = ({ data }: MessageEvent<FromIngest>) => {
    switch (data.kind) {
      case "listening":
        listening.resolve(data);
        break;
      case "log":
        log(data.line);
        break;
      case "metrics_wanted":
        send({ kind: "metrics", snapshots: metrics() });
        break;
      case "charges_saved":
        saving.shift()?.resolve();
        break;
      case "charges_lost":
        saving.shift()?.reject(errorOf(data));
        break;
      case "failed":
        fail(errorOf(data));
        break;
      case "stopped":
        stopped.resolve();
        break;
    }
  };
  thread.onerror = (event) => fail(new Error(`the ingest side failed: ${event.message}`));
  send({ kind: "start", settings });
  const saveCharges: IngestSide["saveCharges"] = (keys, accounts) => {
    const saved = Promise.withResolvers<void>();
    saving.push(saved);
    send({ kind: "charges", keys, accounts });
    return saved.promise;
  };
  const drain = () => send({ kind: "drain" });
  const stop = async () => {
    send({ kind: "stop" });
    await stopped.promise;
    thread.terminate();
  };
  try {
    const { url, trackerPorts } = await listening.promise;
    return { url, trackerPorts, lost: lost.promise, saveCharges, drain, stop };
  } catch (error) {
    thread.terminate();
    throw error;
  }
}

function errorOf({ code, message }: { readonly code: ErrorCode | null; readonly message: string }): Error {
  return code === null ? new Error(message) : new Failure(code, message);
}
