/**
 * How long to wait for something that must happen. Far more than it ever takes: it only decides how soon a test that
 * would wait for ever says so, and a machine that does other work may be ten times slower than a quiet one.
 */
export const patienceMs = 100_000;

/** A limit of the product as a test can hold it now: longer while other programs have most of the processor. */
export function scaledMs(limitMs: number): number {
  return limitMs * Math.max(1, 2 * slowness() - 1);
}

const sampleMs = 20;

/** How much longer work takes than the processor spends on it: 1 on a quiet machine, 4 where three others want the core. */
function slowness(): number {
  const began = performance.now();
  const spent = process.cpuUsage();
  let spentMs = 0;
  while (spentMs < sampleMs) {
    const { user, system } = process.cpuUsage(spent);
    spentMs = (user + system) / 1000;
  }
  return (performance.now() - began) / spentMs;
}

/** Asks again until it is so. A question that takes long is asked less often: its answer must not wait for the asking. */
export async function until(isSo: () => Promise<boolean> | boolean, limitMs = patienceMs): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const asked = performance.now();
    if (await isSo()) return;
    const answered = performance.now();
    if (answered > deadline) throw new Error(`it was not so after ${limitMs} ms`);
    await Bun.sleep(Math.max(10, 3 * (answered - asked)));
  }
}

/** Holds that whatever is asked more than a while after this moment has the new answer, however slow the machine is. */
export async function becomesWithin<T>(limitMs: number, wanted: T, ask: () => Promise<T>): Promise<void> {
  const changed = performance.now();
  for (;;) {
    const asked = performance.now();
    const found = await ask();
    if (found === wanted) return;
    if (asked - changed > limitMs) {
      throw new Error(`asked ${Math.round(asked - changed)} ms after the change, it was still ${found}, not ${wanted}`);
    }
    await Bun.sleep(20);
  }
}
