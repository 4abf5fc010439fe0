/** What can be undone, and what was. Pure. */
export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

/** Nobody goes back further. */
const maxSteps = 200;

export function begin<T>(now: T): History<T> {
  return { past: [], now, future: [] };
}

export function step<T>({ past, now, future }: History<T>, next: T): History<T> {
  if (next === now) return { past, now, future };
  return { past: [...past, now].slice(-maxSteps), now: next, future: [] };
}

export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future] };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future };
}
