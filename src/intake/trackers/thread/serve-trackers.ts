import type { LogOptions } from "../../../observe/log.ts";
import type { MetricsSnapshot } from "../../../observe/metrics.ts";
import type { Observe } from "../../../observe/observation.ts";
import { repeat } from "../../../observe/repeat.ts";
import type { Database } from "../../../store/database.ts";
import { namesPage } from "../../../store/fleet/name-changes.ts";
import { trackerDevices } from "../../../store/fleet/tracker-names.ts";
import type { NodeClock } from "../../../store/node-clock.ts";
import { showWatchedMs, WatchedTrackers } from "../connection/show-watched.ts";
import type { TrackerListenerOptions } from "../sockets/listener.ts";
import type { TrackerSettings } from "../tracker-settings.ts";
import type { ForTrackers, OfTrackers } from "./in-thread.ts";
import { ThreadCalls } from "./thread-calls.ts";

/** Names of as many devices are read at once: some milliseconds, in which an embedded store does nothing else. */
const devicesPerPage = 2_000;

export interface TrackerDeps {
  /** One that runs `serveInThread`, not yet spoken to. */
  readonly thread: Worker;
  readonly settings: TrackerSettings;
  readonly database: Database;
  readonly writer: TrackerListenerOptions["writer"];
  readonly unknownDevices: TrackerListenerOptions["unknownDevices"];
  readonly clock: Pick<NodeClock, "now" | "followed">;
  readonly observe: Observe;
  /** For what the thread itself observes. */
  readonly log: LogOptions;
}

export interface ServedTrackers {
  readonly ports: Readonly<Record<string, number>>;
  /** What the thread has counted, about a second ago. */
  readonly counted: () => MetricsSnapshot | null;
  /** Rejects when the thread ends unexpectedly. */
  readonly lost: Promise<never>;
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** Has a thread listen to the families of the settings, and does for it what needs the store. */
export async function serveTrackers(deps: TrackerDeps): Promise<ServedTrackers> {
  const { thread, settings, database, writer, clock, observe, log } = deps;
  let snapshot: MetricsSnapshot | null = null;
  const own: ForTrackers = {
    async lookUp(identities) {
      const found = await trackerDevices(database, new Set(identities));
      return Array.from(found, ([identity, { imei, account_id, tracker_protocol, tracker_model }]) => [
        identity,
        { imei, accountId: account_id, protocol: tracker_protocol, model: tracker_model },
      ]);
    },
    readNames: (after) => namesPage(database, after, devicesPerPage),
    submit: (accountId, frames) => writer.submit(accountId, frames),
    noteTracker: (identity, family, now) => deps.unknownDevices.noteTracker(identity, family, now),
    log: log.write,
    count: (counted) => {
      snapshot = counted;
    },
  };
  const trackers = new ThreadCalls<ForTrackers, OfTrackers>((text) => thread.postMessage(text), own);
  const lost = Promise.withResolvers<never>();
  // It may be lost before any caller waits.
  lost.promise.catch(() => {});
  const lose = (why: string) => {
    const error = new Error(`the trackers' thread failed: ${why}`);
    lost.reject(error);
    trackers.end(error);
  };
  thread.onmessage = ({ data }: MessageEvent<string>) => trackers.take(data);
  thread.onerror = ({ message }) => lose(message);
  thread.addEventListener("close", () => lose("it ended"));
  let time = clock.followed;
  const { level, format } = log;
  try {
    const ports = await trackers.call("start", { ...settings, level, format }, time);
    const watched = new WatchedTrackers(database, (wanted) => trackers.call("show", wanted));
    const endShowing = repeat("watched trackers", showWatchedMs, observe, async () => {
      if (clock.followed !== time) {
        time = clock.followed;
        await trackers.call("follow", time);
      }
      await watched.show(clock.now());
    });
    const close = async () => {
      // What is answered last is shown, too.
      await trackers.call("close").catch(() => {});
      await endShowing();
      thread.terminate();
    };
    const drain = () => void trackers.call("drain").catch(() => {});
    return { ports, counted: () => snapshot, lost: lost.promise, drain, close };
  } catch (error) {
    thread.terminate();
    throw error;
  }
}
