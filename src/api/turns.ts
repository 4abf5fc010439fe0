/**
 * Long work on the API's thread is done in short parts, one for every turn of the event loop: other requests are answered
 * between two parts, however many calls do long work at once. Waiting work gets its turn in order.
 *
 * SQLite answers within the thread, and a resolved promise lets no other call run: only a turn does.
 */
const waiting: (() => void)[] = [];

/** Resolves when the next part may be done. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(runOne);
  });
}

function runOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runOne);
}
