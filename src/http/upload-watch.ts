const checkMs = 1_000;

interface Watched {
  readonly until: number;
  readonly onLate: () => void;
}

const underWay = new Set<Watched>();
let timer: Timer | null = null;

/** Calls `onLate` after the time, give or take a second. Returns the end. One timer serves all: it is cheaper. */
export function watchUpload(limitMs: number, onLate: () => void): () => void {
  const watched = { until: performance.now() + limitMs, onLate };
  underWay.add(watched);
  timer ??= setInterval(check, checkMs).unref();
  return () => underWay.delete(watched);
}

function check(): void {
  const now = performance.now();
  for (const watched of underWay) {
    // The oldest come first, but their limits may differ.
    if (watched.until > now) continue;
    underWay.delete(watched);
    watched.onLate();
  }
  if (underWay.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}
