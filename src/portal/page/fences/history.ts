/** What can be undone, and what was. Pure. */
export interface EditHistory<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

/** Nobody goes back further. */
const maxSteps = 200;

export function begin<T>(now: T): EditHistory<T> {
  return { past: [], now, future: [] };
}

export function step<T>({ past, now, future }: EditHistory<T>, next: T): EditHistory<T> {
  if (next === now) return { past, now, future };
  return { past: [...past, now].slice(-maxSteps), now: next, future: [] };
}

export function undo<T>(history: EditHistory<T>): EditHistory<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future] };
}

export function redo<T>(history: EditHistory<T>): EditHistory<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future };
}
