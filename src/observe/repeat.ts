import type { Observe } from "./observation.ts";

/**
 * Repeats something, with a pause after each run. A failure is reported and does not end it. Returns the function that ends
 * it: it signals the run under way and waits for it.
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
