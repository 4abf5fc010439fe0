import type { Observe } from "./observation.ts";

/**
 * Does something again and again, with a pause between one end and the next beginning. A failure is reported and does not
 * end it. Gives the function that ends it: what is being done gets a signal, and is waited for.
 */
export function repeat(
  task: string,
  pauseMs: number,
  observe: Observe,
  work: (stop: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stop = new AbortController();
  const ended = (async () => {
    while (!stop.signal.aborted) {
      try {
        await work(stop.signal);
      } catch (cause) {
        observe({ kind: "maintenance_failed", task, cause });
      }
      await pause(pauseMs, stop.signal);
    }
  })();
  return () => {
    stop.abort();
    return ended;
  };
}

/** Leaves no timer behind, which would delay the end of the process, and no listener, of which there would be millions. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop.addEventListener("abort", end);
  });
}
