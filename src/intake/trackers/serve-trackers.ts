import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import type { Database } from "../../store/database.ts";
import { namesPage } from "../../store/fleet/name-changes.ts";
import { trackerDevices } from "../../store/fleet/tracker-names.ts";
import type { FrameQueue } from "../queue.ts";
import type { UnknownDevices } from "../unknown-devices.ts";
import type { FamilyCounts } from "./counts.ts";
import type { TrackerDevice } from "./directory.ts";
import { families } from "./families.ts";
import { listenToTrackers } from "./listener.ts";
import { readNetworks } from "./networks.ts";
import { showWatchedMs, WatchedTrackers } from "./show-watched.ts";
import type { TrackerSettings } from "./tracker-settings.ts";

/** Names of as many devices are read at once: some milliseconds, in which an embedded store does nothing else. */
const devicesPerPage = 2_000;

export interface TrackerDeps {
  readonly settings: TrackerSettings;
  readonly database: Database;
  readonly writer: FrameQueue;
  readonly unknownDevices: UnknownDevices;
  readonly now: () => number;
  readonly observe: Observe;
}

export interface ServedTrackers {
  readonly ports: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, FamilyCounts>>;
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** Listens to the families of the settings, with the store behind them. */
export async function serveTrackers(deps: TrackerDeps): Promise<ServedTrackers> {
  const { settings, database, writer, unknownDevices, now, observe } = deps;
  const { hostname, networks, proxies } = settings;
  const listener = await listenToTrackers({
    ports: settings.ports.map(({ name, port }) => {
      const family = families[name];
      return { family, port: port ?? family.port };
    }),
    hostname,
    networks: networks === null ? null : readNetworks(networks),
    proxies: proxies === null ? null : readNetworks(proxies),
    lookUp: async (identities) => {
      const found = new Map<string, TrackerDevice>();
      for (const [identity, { imei, account_id, tracker_protocol }] of await trackerDevices(database, identities)) {
        found.set(identity, { imei, accountId: account_id, protocol: tracker_protocol });
      }
      return found;
    },
    readNames: (after) => namesPage(database, after, devicesPerPage),
    writer,
    unknownDevices,
    now,
    observe,
  });
  const watched = new WatchedTrackers(database, listener.messages);
  const endShowing = repeat("watched trackers", showWatchedMs, observe, () => watched.show(now()));
  return {
    ports: listener.ports,
    counts: listener.counts,
    drain: () => listener.drain(),
    close: async () => {
      await listener.close();
      await endShowing();
    },
  };
}
