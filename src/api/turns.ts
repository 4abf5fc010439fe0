/**
 * Long work on the API's thread is done in parts, each short, one for every turn of the event loop: whatever else has come
 * in is answered between two parts, however many calls do long work at once. What waits gets its turn in the order it came.
 *
 * SQLite answers within the thread, and a promise that is there already lets nobody else run: only a turn does.
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
