import type { Actor } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import { editFleet } from "../../fleet/edit/edit.ts";
import { eraseDriver } from "../../fleet/edit/erase-driver.ts";
import { eraseRemovedDevice, removeDevice } from "../../fleet/edit/remove-device.ts";
import { eraseRemovedUser, removeUser } from "../../fleet/edit/remove-user.ts";
import { eraseAccount } from "../../fleet/erase/erase-account.ts";
import { linesOfAccount, linesOfDevice, linesOfDriver, linesOfUser } from "../../fleet/erase/written-out.ts";
import { accountLine } from "../../fleet/parse/lines.ts";
import type { Database, Transaction } from "../../store/database.ts";
import type { ErasableDevice, NamedDriver, NamedUser } from "../../store/erase/find.ts";
import { assignedUsers, historyStamp, type StoredRow } from "../../store/erase/stored-rows.ts";
import type { StoredAccount } from "../../store/fleet/accounts.ts";
import { revisionsOf } from "../../store/fleet/record-revisions.ts";
import type { NewFile } from "../common/write-out.ts";

export interface EraseTarget {
  readonly type: "device" | "user" | "driver" | "account";
  readonly id: string;
  /** Whether it is marked already: it is only to be gone on with. */
  readonly isErasing: boolean;
  /** Has it erased. All that is stored of it is in the file before, down to the last frame that was acknowledged. */
  mark(file: NewFile | null): Promise<void>;
}

const by: Actor = { kind: "command" };

/** A server refuses senders within half a second, and what they sent until then is soon derived. */
const pauseMs = 500;
/** Counted, not timed: a large account takes minutes to write. */
const maxAttempts = 60;

export function deviceTarget(database: Database, found: ErasableDevice): EraseTarget {
  const { account_id: accountId, device, id } = found;
  const wanted = { accountId, id, by };
  const key = { accountId, device };

  /** Hides it first, so that no frame comes any more. */
  const writeOut = async (file: NewFile) => {
    let ended: readonly StoredRow[] = [];
    const before = async (tx: Transaction) => {
      ended = await assignedUsers(tx, key);
    };
    if (found.removed_at === null) {
      const removal = { ...wanted, revision: null, history: "keep", isPreview: false, before } as const;
      await removeDevice(database, removal, Date.now());
    }
    try {
      await untilSettled(async () => {
        const stamp = await historyStamp(database, accountId, device);
        await file.write(linesOfDevice(database, key, ended));
        return (await historyStamp(database, accountId, device)) === stamp;
      });
    } catch (error) {
      throw found.removed_at === null ? nowHidden(error) : error;
    }
  };

  return {
    type: "device",
    id,
    isErasing: found.erasing_at !== null,
    async mark(file) {
      if (file !== null) await writeOut(file);
      if (file !== null || found.removed_at !== null) await eraseRemovedDevice(database, wanted, Date.now());
      else await removeDevice(database, { ...wanted, revision: null, history: "erase", isPreview: false }, Date.now());
    },
  };
}

function nowHidden(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const state = "nothing was erased; the device is removed and kept: call this again, or put it back in the portal";
  return new Failure(error.code, `${error.message}; ${state}`, { cause: error });
}

/** A user has little, so it is written out in the transaction that erases it. */
export function userTarget(database: Database, { account_id: accountId, id, removed_at }: NamedUser): EraseTarget {
  return {
    type: "user",
    id,
    isErasing: false,
    async mark(file) {
      const before = async (tx: Transaction) => file?.write(linesOfUser(tx, accountId, id));
      const wanted = { accountId, id, by, before };
      if (removed_at !== null) await eraseRemovedUser(database, wanted, Date.now());
      else await removeUser(database, { ...wanted, revision: null, history: "erase", isPreview: false }, Date.now());
    },
  };
}

/** Its rows go at once. */
export function driverTarget(database: Database, { account_id: accountId, id }: NamedDriver): EraseTarget {
  return {
    type: "driver",
    id,
    isErasing: false,
    async mark(file) {
      const before = async (tx: Transaction) => file?.write(linesOfDriver(tx, accountId, id));
      await eraseDriver(database, { accountId, id, by, before, revision: null, isPreview: false }, Date.now());
    },
  };
}

/** Something was stored after it was read. */
class Stale extends Error {}

export function accountTarget(database: Database, found: StoredAccount, isErasing: boolean): EraseTarget {
  const { account_id: accountId, id, status } = found;

  const setStatus = async (to: StoredAccount["status"]) => {
    const revision = (await revisionsOf(database, accountId, "account", [id])).get(id)?.revision ?? 1;
    const change = { type: "account", id, revision, fields: { status: to } } as const;
    const request = { account: { number: accountId, id }, by, changes: [change], isPreview: false };
    await editFleet(database, request, Date.now());
  };

  /** Writes and marks. The mark fails if a frame was stored meanwhile: then once more. */
  const writeAndMark = async (file: NewFile) => {
    const line = await accountLine(database, accountId);
    if (status === "active") await setStatus("suspended");
    try {
      await untilSettled(async () => {
        const stamp = await historyStamp(database, accountId, null);
        await file.write(linesOfAccount(database, accountId, line));
        const before = async (tx: Transaction) => {
          if ((await historyStamp(tx, accountId, null)) !== stamp) throw new Stale();
        };
        try {
          await eraseAccount(database, id, by, Date.now(), before);
          return true;
        } catch (error) {
          if (error instanceof Stale) return false;
          throw error;
        }
      });
    } catch (error) {
      if (status === "active") await setStatus("active");
      throw error;
    }
  };

  return {
    type: "account",
    id,
    isErasing,
    async mark(file) {
      if (file === null) await eraseAccount(database, id, by, Date.now());
      else await writeAndMark(file);
    },
  };
}

/** Repeats what returns false because a frame was stored or derived meanwhile. */
async function untilSettled(attempt: () => Promise<boolean>): Promise<void> {
  for (let made = 1; !(await attempt()); made++) {
    if (made === maxAttempts) {
      throw new Failure("CONFLICT", "frames are still being stored, and the file would not hold them: call this again");
    }
    await Bun.sleep(pauseMs);
  }
}
