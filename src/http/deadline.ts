import { Failure } from "../domain/errors.ts";
import { isEmbedded, type Reader } from "../store/database.ts";

/** No page takes nearly as long. A store that stopped answering must not hold a caller. */
const deadlineMs = 3_000;

const storeIsSilent = "the store did not answer in time";

export type InTime = <T>(work: Promise<T>, limitMs?: number) => Promise<T>;

/** Rejects with a `Failure` if the work takes too long. The message says who did not answer. */
export async function inTime<T>(work: Promise<T>, limitMs = deadlineMs, message = storeIsSilent): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Failure("STORE_UNREACHABLE", message)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same for work that waits only for this store. An embedded store answers before a timer could run, so none is set. */
export function storeDeadline(store: Pick<Reader, "engine">): InTime {
  return isEmbedded(store) ? (work) => work : inTime;
}
