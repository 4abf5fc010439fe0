import type { Observe } from "../observe/observation.ts";

/**
 * Does something again and again, with a pause between one end and the next beginning. A failure is told and does not end
 * it. Gives the function that ends it, which waits for what is being done.
 */
export function repeat(
  task: string,
  pauseMs: number,
  observe: Observe,
  work: () => Promise<unknown>,
): () => Promise<void> {
  const stop = Promise.withResolvers<void>();
  let isStopped = false;
  const ended = (async () => {
    while (!isStopped) {
      try {
        await work();
      } catch (cause) {
        observe({ kind: "maintenance_failed", task, cause });
      }
      await pause(pauseMs, stop.promise);
    }
  })();
  return () => {
    isStopped = true;
    stop.resolve();
    return ended;
  };
}

/** A timer that is left behind would keep the process from ending. */
async function pause(ms: number, orUntil: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, orUntil]);
  clearTimeout(timer);
}
