import { imeisWithKey, isImei, isTrackerId, trackerKey } from "../domain/text/identifiers.ts";
import type { TrackerProtocol } from "../domain/tracker-protocols.ts";
import type { Database } from "../store/database.ts";
import { onlyAccount } from "../store/fleet/demo-accounts.ts";
import { accountsExpecting, saveExpectedCalls } from "../store/fleet/expected-trackers.ts";
import { trackerHolders } from "../store/fleet/tracker-names.ts";
import { maxUnknownDevices, saveUnknownDevices, type UnknownDeviceRow } from "../store/fleet/unknown-devices.ts";

/** An unknown tracker may send every second, and one that is refused may call again at once. */
const saveEveryMs = 60_000;

/** A tracker that no account expects is looked up again soon: a person may stand beside it and enter it now. */
const lookAgainMs = 5_000;

/** Of tokens that send unknown IMEIs at the same time. More would be an attack on memory, or a fleet that is gone. */
const maxAccounts = 1_000;

/**
 * Trackers that call, of all accounts together, so more than of one: invented names must not keep those from being noted that are
 * expected. Some hundred bytes each.
 */
const maxCallers = 10_000;

/** Trackers that call have a protocol; what came with a token or through a broker has none. */
type Protocol = TrackerProtocol | null;

interface Sighting<P extends Protocol> {
  readonly imei: string;
  protocol: P;
  readonly firstSeenAt: number;
  lastSeenAt: number;
  /** Since it was last saved. */
  unsaved: number;
  savedAt: number;
}

interface DueSighting<P extends Protocol> extends UnknownDeviceRow {
  readonly key: string;
  readonly protocol: P;
}

/** Names that were refused, counted in memory. Each is due at most once a minute, and forgotten after a minute of silence. */
class Sightings<P extends Protocol> {
  readonly #max: number;
  readonly #byKey = new Map<string, Sighting<P>>();

  constructor(max: number) {
    this.#max = max;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  note(key: string, imei: string, protocol: P, now: number): void {
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.protocol = protocol;
      known.lastSeenAt = now;
      known.unsaved++;
    } else if (this.#byKey.size < this.#max) {
      const times = { firstSeenAt: now, lastSeenAt: now, savedAt: Number.NEGATIVE_INFINITY };
      this.#byKey.set(key, { imei, protocol, ...times, unsaved: 1 });
    }
  }

  /** Those to be written, as they are now: others may come meanwhile. */
  due(now: number): readonly DueSighting<P>[] {
    const due = [...this.#byKey].filter(([, { unsaved, savedAt }]) => unsaved > 0 && now - savedAt >= saveEveryMs);
    return due.map(([key, { imei, protocol, firstSeenAt, lastSeenAt, unsaved }]) => {
      return { key, imei, protocol, firstSeenAt, lastSeenAt, count: unsaved };
    });
  }

  markSaved(due: readonly DueSighting<P>[], savedAt: number): void {
    for (const { key, count } of due) {
      const sighting = this.#byKey.get(key);
      if (sighting === undefined) continue;
      sighting.unsaved -= count;
      sighting.savedAt = savedAt;
    }
  }

  /** Returns how many are left. */
  forgetSilent(now: number): number {
    for (const [key, { unsaved, savedAt }] of this.#byKey) {
      if (unsaved === 0 && now - savedAt >= saveEveryMs) this.#byKey.delete(key);
    }
    return this.#byKey.size;
  }
}

type KeysByAccount = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Remembers which IMEIs and trackers are refused, so that the owner can add them. Noting only counts in memory: no sender waits
 * for it. `save` is called every second and writes a name at most once a minute, and at most 100 of an account in a minute that
 * no account expects, whatever is sent: a name beyond that is not remembered until another has been silent for a minute. If saving
 * fails, the sightings are saved with the next.
 *
 * A token says whose an IMEI is. Nothing says that of a tracker that calls by itself: the owner of the only account sees it, and
 * otherwise only an account that expects it. So no account learns of another's.
 */
export class UnknownDevices {
  readonly #database: Database;
  /** By account; null is what a broker sent, which has no account. */
  readonly #byAccount = new Map<number | null, Sightings<null>>();
  /** That called by themselves, by tracker key. */
  readonly #callers = new Sightings<TrackerProtocol>(maxCallers);
  /** Keys of callers that the only account of the server got without expecting them. */
  readonly #listed = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** A tracker that called by itself, and is neither the IMEI nor the tracker id of a device. Does nothing if no device can be. */
  noteTracker(name: string, protocol: TrackerProtocol, now: number): void {
    if (isTrackerId(name)) this.#callers.note(trackerKey(name), withoutFilling(name), protocol, now);
  }

  /** Does nothing unless the reason is that no device has the IMEI. */
  noteRefusal(accountId: number | null, imei: string | null, reason: string, now: number): void {
    if (reason !== "unknown_device" || imei === null) return;
    const known = this.#byAccount.get(accountId);
    if (known === undefined && this.#byAccount.size >= maxAccounts) return;
    const sightings = known ?? new Sightings<null>(maxUnknownDevices);
    this.#byAccount.set(accountId, sightings);
    sightings.note(imei, imei, null, now);
  }

  /** Writes what is due, each account in a transaction of its own. */
  async save(now: number): Promise<void> {
    for (const [accountId, sightings] of this.#byAccount) {
      const due = sightings.due(now);
      if (due.length > 0) {
        // Of several accounts, none may learn what a broker sent for another.
        const owner = accountId ?? (await onlyAccount(this.#database));
        if (owner !== null) await this.#database.transaction((tx) => saveUnknownDevices(tx, owner, due));
        sightings.markSaved(due, now);
      }
      if (sightings.forgetSilent(now) === 0) this.#byAccount.delete(accountId);
    }
    const due = this.#callers.due(now);
    if (due.length > 0) await this.#saveCallers(due, now);
    this.#callers.forgetSilent(now);
    for (const key of this.#listed) if (!this.#callers.has(key)) this.#listed.delete(key);
  }

  async #saveCallers(due: readonly DueSighting<TrackerProtocol>[], now: number): Promise<void> {
    const keysByAccount = await this.#withoutHeld(await this.#whoSees(due, now));
    const wanted = new Set([...keysByAccount.values()].flatMap((keys) => [...keys]));
    const unsaved = new Set(due.filter(({ key }) => wanted.has(key)));
    const unseen = due.filter((caller) => !unsaved.has(caller));
    this.#callers.markSaved(unseen, now - saveEveryMs + lookAgainMs);
    for (const [accountId, keys] of keysByAccount) {
      const own = due.filter(({ key }) => keys.has(key));
      await this.#database.transaction(async (tx) => {
        await saveUnknownDevices(tx, accountId, own);
        await saveExpectedCalls(tx, accountId, own);
      });
      // Two accounts may have got it.
      const first = own.filter((caller) => unsaved.delete(caller));
      this.#callers.markSaved(first, now);
    }
  }

  /** The keys that each account may learn. */
  async #whoSees(due: readonly DueSighting<TrackerProtocol>[], now: number): Promise<KeysByAccount> {
    const byAccount = new Map<number, Set<string>>();
    const dueKeys = due.map(({ key }) => key);
    for (const { account_id, tracker_key } of await accountsExpecting(this.#database, dueKeys, now)) {
      byAccount.set(account_id, (byAccount.get(account_id) ?? new Set()).add(tracker_key));
    }
    const only = await onlyAccount(this.#database);
    if (only === null) return byAccount;
    const keys = byAccount.get(only) ?? new Set();
    for (const key of dueKeys) {
      if (!keys.has(key) && this.#listed.size < maxUnknownDevices) this.#listed.add(key);
      if (this.#listed.has(key)) keys.add(key);
    }
    return keys.size === 0 ? byAccount : byAccount.set(only, keys);
  }

  /** What a device has by now is for no other account to learn: it may be one of a suspended account. */
  async #withoutHeld(byAccount: KeysByAccount): Promise<KeysByAccount> {
    const wanted = new Set([...byAccount.values()].flatMap((keys) => [...keys]));
    const held = new Set((await trackerHolders(this.#database, [...wanted])).keys());
    const left = Array.from(byAccount, ([accountId, keys]) => [accountId, keys.difference(held)] as const);
    return new Map(left.filter(([, keys]) => keys.size > 0));
  }
}

/** Protocols with room for more digits fill an IMEI up; the owner looks for the one on the label. */
function withoutFilling(name: string): string {
  const key = trackerKey(name);
  const isFilledUp = name.length > 15 && name.startsWith("0");
  if (!/^[0-9]{14,15}$/.test(key) || (isImei(name) && !isFilledUp)) return name;
  return imeisWithKey(key)[0] ?? name;
}
