import type { FrameOutcome } from "../../../derive/plan.ts";
import type { LogOptions } from "../../../observe/log.ts";
import type { MetricsSnapshot } from "../../../observe/metrics.ts";
import { startObserving } from "../../../observe/start-observing.ts";
import { type FollowedTime, timeBy } from "../../../store/node-clock.ts";
import type { IncomingFrame } from "../../incoming-frame.ts";
import { messagesIn, type ShowMessages } from "../connection/describe.ts";
import type { TrackerOwner } from "../gate/directory.ts";
import type { ReadNames } from "../gate/known-names.ts";
import { readNetworks } from "../gate/networks.ts";
import type { TrackerFamily } from "../kit/family.ts";
import { listenToTrackers, type TrackerListener } from "../sockets/listener.ts";
import type { TrackerSettings } from "../tracker-settings.ts";
import { ThreadCalls } from "./thread-calls.ts";

/** What was counted is reported as often: a request for metrics does not wait for this thread. */
const countMs = 1_000;

/** What the thread with the store does for this one. */
export interface ForTrackers {
  lookUp(identities: readonly string[]): Promise<readonly (readonly [identity: string, device: TrackerOwner])[]>;
  readNames: ReadNames;
  /** Resolves when the frames are on disk. */
  submit(accountId: number, frames: readonly IncomingFrame[]): Promise<readonly FrameOutcome[]>;
  noteTracker(identity: string, family: string, now: number): void;
  log(line: string): void;
  count(snapshot: MetricsSnapshot): void;
}

export interface TrackerThreadSettings extends TrackerSettings, Pick<LogOptions, "level" | "format"> {}

/** And this one for that with the store. */
export interface OfTrackers {
  /** By family: the ports that are open. */
  start(settings: TrackerThreadSettings, time: FollowedTime | null): Promise<Readonly<Record<string, number>>>;
  /** The node's clock was compared with that of the store. */
  follow(time: FollowedTime | null): void;
  show: ShowMessages;
  drain(): void;
  close(): Promise<void>;
}

/** A thread as it sees itself: `self`. */
interface OwnThread {
  postMessage(text: string): void;
  onmessage: ((event: MessageEvent<string>) => void) | null;
}

/**
 * The sockets of trackers, and all that is made of their bytes, in a thread of their own: whatever strangers send, the thread that
 * stores frames is not held up. It has no store: what it needs of that, it asks the other thread for.
 */
export function serveInThread(self: OwnThread, families: Readonly<Record<string, TrackerFamily>>): void {
  let listener: TrackerListener | null = null;
  // If it fails, the other thread is ending, and says so itself.
  const report = <Name extends "log" | "noteTracker" | "count">(name: Name, ...args: Parameters<ForTrackers[Name]>) =>
    void store.call(name, ...args).catch(() => {});
  let time: FollowedTime | null = null;
  let endObserving = async () => {};
  const now = () => timeBy(time);
  const own: OfTrackers = {
    async start(settings, followed) {
      time = followed;
      const { level, format, hostname, networks, proxies } = settings;
      const write = (line: string) => report("log", line);
      const { observe, metrics, close } = await startObserving({
        log: { level, format, write },
        tracing: null,
        known: [],
      });
      endObserving = close;
      const listening = await listenToTrackers({
        ports: settings.ports.flatMap(({ name, port }) => {
          const family = families[name];
          return family === undefined ? [] : { family, port: port ?? family.port };
        }),
        hostname,
        networks: networks === null ? null : readNetworks(networks),
        proxies: proxies === null ? null : readNetworks(proxies),
        lookUp: async (identities) => new Map(await store.call("lookUp", [...identities])),
        readNames: (after) => store.call("readNames", after),
        writer: { submit: (accountId, frames) => store.call("submit", accountId, frames) },
        unknownDevices: { noteTracker: (...noted) => report("noteTracker", ...noted) },
        now,
        observe,
      });
      listener = listening;
      const count = () => {
        const { counts: trackerFamilies, places: trackerPlaces } = listening;
        const counted = { trackerFamilies, trackerPlaces, residentBytes: 0 };
        report("count", { ...metrics.snapshot(), ...counted });
      };
      count();
      setInterval(count, countMs);
      return listening.ports;
    },
    follow(followed) {
      time = followed;
    },
    show: async (wanted) => (listener === null ? [] : messagesIn(listener.messages)(wanted)),
    drain: () => listener?.drain(),
    async close() {
      await listener?.close();
      await endObserving();
    },
  };
  const store = new ThreadCalls<OfTrackers, ForTrackers>((text) => self.postMessage(text), own);
  self.onmessage = ({ data }) => store.take(data);
}
