import { imeisWithKey, isImei, isTrackerId, trackerKey } from "../domain/text/identifiers.ts";
import type { TrackerProtocol } from "../domain/tracker-protocols.ts";
import type { Database } from "../store/database.ts";
import { accountsExpecting, saveExpectedCalls } from "../store/fleet/expected-trackers.ts";
import { trackerHolders } from "../store/fleet/tracker-names.ts";
import { maxUnknownDevices, onlyAccount, saveUnknownDevices } from "../store/fleet/unknown-devices.ts";

/** A tracker that is refused may call again at once. */
const saveEveryMs = 60_000;

/** One that nobody expects is looked up again soon: somebody may stand beside it and enter it now. */
const lookAgainMs = 5_000;

/**
 * Of all accounts together, so more than of one: invented names must not keep those from being noted that somebody expects. Some
 * hundred bytes each.
 */
const maxCallers = 10_000;

interface Caller {
  readonly name: string;
  protocol: TrackerProtocol;
  firstSeenAt: number;
  lastSeenAt: number;
  /** Since it was last saved. */
  unsaved: number;
  savedAt: number;
  /** Whether the only account of the server got it without expecting it. */
  isListed: boolean;
}

type KeysByAccount = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Remembers which trackers called by themselves and belong to no device. Nothing says whose they are: the owner of the only account
 * sees them, and otherwise only who expects one. So no account learns of another's. As with IMEIs that come with a token, `note`
 * only counts in memory, each is written at most once a minute, and at most 100 a minute that nobody expects.
 */
export class UnknownTrackers {
  readonly #database: Database;
  /** By key. */
  readonly #callers = new Map<string, Caller>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Does nothing with a name that no device can have. */
  note(name: string, protocol: TrackerProtocol, now: number): void {
    if (!isTrackerId(name)) return;
    const key = trackerKey(name);
    const known = this.#callers.get(key);
    if (known !== undefined) {
      known.protocol = protocol;
      known.lastSeenAt = now;
      known.unsaved++;
    } else if (this.#callers.size < maxCallers) {
      const times = { firstSeenAt: now, lastSeenAt: now, savedAt: Number.NEGATIVE_INFINITY };
      this.#callers.set(key, { name: withoutFilling(name), protocol, ...times, unsaved: 1, isListed: false });
    }
  }

  /** Writes what is due, each account in a transaction of its own. */
  async save(now: number): Promise<void> {
    const isDue = ({ savedAt, unsaved }: Caller) => unsaved > 0 && now - savedAt >= saveEveryMs;
    const due = new Map([...this.#callers].filter(([, caller]) => isDue(caller)));
    if (due.size > 0) await this.#saveDue(due, now);
    for (const [key, { savedAt, unsaved }] of this.#callers) {
      if (unsaved === 0 && now - savedAt >= saveEveryMs) this.#callers.delete(key);
    }
  }

  async #saveDue(due: ReadonlyMap<string, Caller>, now: number): Promise<void> {
    const keysByAccount = await this.#withoutHeld(await this.#whoSees(due, now));
    // As they are now: others may call meanwhile.
    const calls = new Map(
      Array.from(due, ([key, { name, unsaved, ...caller }]) => [key, { ...caller, key, imei: name, count: unsaved }]),
    );
    const unsaved = new Set(calls.keys());
    const settle = (key: string, savedAt: number) => {
      const caller = due.get(key);
      // Two accounts may have got it.
      if (caller === undefined || !unsaved.delete(key)) return;
      caller.unsaved -= calls.get(key)?.count ?? 0;
      caller.savedAt = savedAt;
    };
    const wanted = new Set([...keysByAccount.values()].flatMap((keys) => [...keys]));
    for (const key of calls.keys()) if (!wanted.has(key)) settle(key, now - saveEveryMs + lookAgainMs);
    for (const [accountId, keys] of keysByAccount) {
      const own = [...keys].flatMap((key) => calls.get(key) ?? []);
      await this.#database.transaction(async (tx) => {
        await saveUnknownDevices(tx, accountId, own);
        await saveExpectedCalls(tx, accountId, own);
      });
      for (const { key } of own) settle(key, now);
    }
  }

  /** The keys that each account may learn. */
  async #whoSees(due: ReadonlyMap<string, Caller>, now: number): Promise<KeysByAccount> {
    const byAccount = new Map<number, Set<string>>();
    for (const { account_id, tracker_key } of await accountsExpecting(this.#database, due.keys(), now)) {
      byAccount.set(account_id, (byAccount.get(account_id) ?? new Set()).add(tracker_key));
    }
    const only = await onlyAccount(this.#database);
    if (only === null) return byAccount;
    const keys = byAccount.get(only) ?? new Set();
    let listed = this.#callers
      .values()
      .filter(({ isListed }) => isListed)
      .toArray().length;
    for (const [key, caller] of due) {
      if (!caller.isListed && !keys.has(key)) {
        if (listed >= maxUnknownDevices) continue;
        caller.isListed = true;
        listed++;
      }
      keys.add(key);
    }
    return keys.size === 0 ? byAccount : byAccount.set(only, keys);
  }

  /** What a device has by now is nobody's to learn: it may be one of a suspended account. */
  async #withoutHeld(byAccount: KeysByAccount): Promise<KeysByAccount> {
    const wanted = [...new Set([...byAccount.values()].flatMap((keys) => [...keys]))];
    const held = new Set((await trackerHolders(this.#database, wanted)).keys());
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
