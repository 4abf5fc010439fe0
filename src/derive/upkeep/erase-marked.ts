import { storeNow } from "../../store/clock.ts";
import type { Database, Transaction } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { eraseAccountItself, erasingAccounts } from "../../store/erase/account-rows.ts";
import { endOfLog, eraseFromLog, eraseLog } from "../../store/erase/change-log.ts";
import { erasingDevices, trackersOfErasing } from "../../store/erase/device-mark.ts";
import { deviceTables, eraseDeviceItself, eraseSomeRows } from "../../store/erase/device-rows.ts";
import { purgeErased } from "../../store/erase/notes.ts";
import { eraseStrays } from "../../store/erase/strays.ts";
import { forgetUnseenTags } from "../../store/erase/unseen-tags.ts";
import { forgetUnknownTrackers } from "../../store/fleet/unknown-devices.ts";
import type { WorkPace } from "../pace.ts";

/** Devices found in one read. */
const devicesPerPage = 100;

export interface Erased {
  /** Devices and accounts that are gone. */
  readonly devices: number;
  readonly accounts: number;
  /** Whether they are gone from the store's files as well; else an open reader still holds the old data. */
  readonly isPurged: boolean;
}

/** Gets how many rows of a device were erased since the last call. */
export type OnErased = (rows: number) => void;

/**
 * Erases what is marked: devices, and accounts with all of theirs. Each step is a short transaction, so that others need not
 * wait. Stopped or killed at any moment, the next one continues it; two at once do no harm.
 */
export async function eraseMarked(database: Database, pace: WorkPace, onErased: OnErased = () => {}): Promise<Erased> {
  const work = new Erasing(database, pace, onErased);
  let devices = 0;
  let accounts = 0;
  for (const accountId of await erasingAccounts(database)) {
    devices += await work.devicesOf(accountId);
    if (!(await work.account(accountId))) break;
    accounts++;
  }
  if (!pace.isStopped) devices += await work.devicesOf(null);
  if (!pace.isStopped) await eraseStrays(database, await storeNow(database));
  return { devices, accounts, isPurged: pace.isStopped ? false : await purgeErased(database) };
}

class Erasing {
  readonly #database: Database;
  readonly #pace: WorkPace;
  readonly #onErased: OnErased;

  constructor(database: Database, pace: WorkPace, onErased: OnErased) {
    this.#database = database;
    this.#pace = pace;
    this.#onErased = onErased;
  }

  /** All devices that are marked, of one account or of all. Returns how many are gone. */
  async devicesOf(accountId: number | null): Promise<number> {
    let gone = 0;
    for (;;) {
      const devices = await erasingDevices(this.#database, accountId, devicesPerPage);
      await this.#forgetRefusals(devices);
      for (const device of devices) {
        if (!(await this.#device(device, accountId === null))) return gone;
        gone++;
      }
      if (devices.length < devicesPerPage) return gone;
    }
  }

  /** They may have sent with the token of another account, and been refused. */
  async #forgetRefusals(devices: readonly DeviceKey[]): Promise<void> {
    const trackers: string[] = [];
    for (const [accountId, own] of Map.groupBy(devices, ({ accountId }) => accountId)) {
      const numbers = own.map(({ device }) => device);
      trackers.push(...(await trackersOfErasing(this.#database, accountId, numbers)));
    }
    if (trackers.length > 0) await forgetUnknownTrackers(this.#database, trackers, this.#pace);
  }

  /** Returns whether it is gone; else the work was stopped. */
  async #device(key: DeviceKey, withLog: boolean): Promise<boolean> {
    for (const table of deviceTables) {
      while ((await this.#step((tx) => eraseSomeRows(tx, key, table))) > 0);
    }
    const end = withLog ? await endOfLog(this.#database, key.accountId) : -1;
    for (let after: number | null = withLog ? -1 : null; after !== null && !this.#pace.isStopped; ) {
      const from: number = after;
      after = await this.#database.transaction((tx) => eraseFromLog(tx, key, from, end));
      await this.#pace.rest();
    }
    if (this.#pace.isStopped) return false;
    await this.#database.transaction(async (tx) => {
      if (withLog) await forgetUnseenTags(tx, key.accountId);
      await eraseDeviceItself(tx, key);
    });
    return true;
  }

  /** The rest of an account without devices. */
  async account(accountId: number): Promise<boolean> {
    while ((await this.#step(async (tx) => ((await eraseLog(tx, accountId)) ? 1 : 0))) > 0);
    if (this.#pace.isStopped) return false;
    await this.#database.transaction((tx) => eraseAccountItself(tx, accountId));
    return true;
  }

  async #step(work: (tx: Transaction) => Promise<number>): Promise<number> {
    if (this.#pace.isStopped) return 0;
    const rows = await this.#database.transaction(work);
    if (rows > 0) this.#onErased(rows);
    await this.#pace.rest();
    return rows;
  }
}
