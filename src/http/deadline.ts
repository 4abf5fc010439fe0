import { Failure } from "../domain/errors.ts";
import { isEmbedded, type Reader } from "../store/database.ts";
import { beforeDeadline } from "../store/deadlines.ts";

/** No page takes nearly as long. A store that stopped answering must not hold a caller. */
const deadlineMs = 3_000;

export type InTime = <T>(work: Promise<T>, limitMs?: number) => Promise<T>;

/** Rejects with a `Failure` if the work, which waits for the store, takes too long. */
export function inTime<T>(work: Promise<T>, limitMs = deadlineMs): Promise<T> {
  return beforeDeadline(work, limitMs, () => new Failure("STORE_UNREACHABLE", "the store did not answer in time"));
}

/** The same for work that waits only for this store. An embedded store answers before a timer could run, so none is set. */
export function storeDeadline(store: Pick<Reader, "engine">): InTime {
  return isEmbedded(store) ? (work) => work : inTime;
}
