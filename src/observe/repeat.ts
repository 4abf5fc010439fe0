import type { Observe } from "./observation.ts";

/** Repeats work, whatever fails, with a pause after each run. Returns what ends it: it waits for the run under way. */
export function repeat(
  task: string,
  pauseMs: number | (() => number),
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
      await pause(typeof pauseMs === "number" ? pauseMs : pauseMs(), stop.signal);
    }
  })();
  return () => {
    stop.abort();
    return ended;
  };
}

/** Ends early if stopped. Leaves no timer behind, which would delay the exit, and no listener: there would be millions. */
export function pause(ms: number, stop: AbortSignal): Promise<void> {
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
