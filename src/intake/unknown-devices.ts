import type { TrackerProtocol } from "../domain/tracker-protocols.ts";
import type { Database } from "../store/database.ts";
import {
  maxUnknownDevices,
  onlyAccount,
  saveUnknownDevices,
  type UnknownDevice,
} from "../store/fleet/unknown-devices.ts";
import { UnknownTrackers } from "./unknown-trackers.ts";

/** An unknown tracker may send every second. */
const saveEveryMs = 60_000;

/** Of tokens that send unknown IMEIs at the same time. More would be an attack on memory, or a fleet that is gone. */
const maxAccounts = 1_000;

interface Sighting {
  firstSeenAt: number;
  lastSeenAt: number;
  /** Since it was last saved. */
  unsaved: number;
  savedAt: number;
}

/**
 * Remembers which IMEIs are refused, so that the owner can add them. `noteRefusal` only counts in memory: no sender waits
 * for it. `save` is called every second and writes an IMEI at most once a minute, and at most 100 of an account in a
 * minute, whatever is sent: an IMEI beyond that is not remembered until another has been silent for a minute. If saving
 * fails, the sightings are saved with the next.
 */
export class UnknownDevices {
  readonly #database: Database;
  /** By account; null is what a broker sent, which has no account. */
  readonly #byAccount = new Map<number | null, Map<string, Sighting>>();

  readonly #trackers: UnknownTrackers;

  constructor(database: Database) {
    this.#database = database;
    this.#trackers = new UnknownTrackers(database);
  }

  /** A tracker that called by itself, and that is neither the IMEI nor the tracker id of a device. */
  noteTracker(name: string, protocol: TrackerProtocol, now: number): void {
    this.#trackers.note(name, protocol, now);
  }

  /** Does nothing unless the reason is that no device has the IMEI. */
  noteRefusal(accountId: number | null, imei: string | null, reason: string, now: number): void {
    if (reason !== "unknown_device" || imei === null) return;
    const ofAccount = this.#ofAccount(accountId);
    const known = ofAccount?.get(imei);
    if (known !== undefined) {
      known.lastSeenAt = now;
      known.unsaved++;
    } else if (ofAccount !== undefined && ofAccount.size < maxUnknownDevices) {
      const sighting = { firstSeenAt: now, lastSeenAt: now, unsaved: 1, savedAt: Number.NEGATIVE_INFINITY };
      ofAccount.set(imei, sighting);
    }
  }

  /** Writes what is due, each account in a transaction of its own. */
  async save(now: number): Promise<void> {
    for (const [accountId, sightings] of this.#byAccount) {
      const due = [...sightings].filter(([, { savedAt, unsaved }]) => unsaved > 0 && now - savedAt >= saveEveryMs);
      if (due.length > 0) await this.#saveOf(accountId, due, now);
      for (const [imei, { savedAt, unsaved }] of sightings) {
        if (unsaved === 0 && now - savedAt >= saveEveryMs) sightings.delete(imei);
      }
      if (sightings.size === 0) this.#byAccount.delete(accountId);
    }
    await this.#trackers.save(now);
  }

  async #saveOf(accountId: number | null, due: readonly (readonly [string, Sighting])[], now: number): Promise<void> {
    const rows: UnknownDevice[] = due.map(([imei, { firstSeenAt, lastSeenAt, unsaved }]) => ({
      imei,
      protocol: null,
      firstSeenAt,
      lastSeenAt,
      count: unsaved,
    }));
    // Of several accounts, none may learn what a broker sent for another.
    const owner = accountId ?? (await onlyAccount(this.#database));
    if (owner !== null) await this.#database.transaction((tx) => saveUnknownDevices(tx, owner, rows));
    for (const [index, [, sighting]] of due.entries()) {
      // Others may have come meanwhile.
      sighting.unsaved -= rows[index]?.count ?? 0;
      sighting.savedAt = now;
    }
  }

  #ofAccount(accountId: number | null): Map<string, Sighting> | undefined {
    const known = this.#byAccount.get(accountId);
    if (known !== undefined || this.#byAccount.size >= maxAccounts) return known;
    const sightings = new Map<string, Sighting>();
    this.#byAccount.set(accountId, sightings);
    return sightings;
  }
}
