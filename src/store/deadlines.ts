/** How often to check for what is overdue. One timer for all: one for each costs more than its share of a statement. */
const lookEveryMs = 100;

interface Pending {
  readonly dueAt: number;
  readonly giveUp: () => void;
}

const pending = new Set<Pending>();
let timer: ReturnType<typeof setInterval> | null = null;

/** The result of the work, or, if it takes longer than this and up to a tenth of a second, the error that `late` makes. */
export function beforeDeadline<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const entry = { dueAt: performance.now() + limitMs, giveUp: () => reject(late()) };
    pending.add(entry);
    timer ??= setInterval(look, lookEveryMs);
    work.then(
      (result) => {
        pending.delete(entry);
        resolve(result);
      },
      (error) => {
        pending.delete(entry);
        reject(error);
      },
    );
  });
}

function look(): void {
  const now = performance.now();
  for (const entry of pending) {
    if (now < entry.dueAt) continue;
    pending.delete(entry);
    entry.giveUp();
  }
  if (pending.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}
