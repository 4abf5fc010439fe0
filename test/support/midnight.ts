import { dayMs } from "../../src/domain/time/time.ts";

/** A test takes less. */
const roomMs = 30_000;

/** Limits of a day begin anew at midnight UTC. A test that counts within one day waits for the next if this one ends soon. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < roomMs) await Bun.sleep(leftMs + 1);
}
