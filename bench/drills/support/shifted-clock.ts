/**
 * Loaded into a node before the program: its clock, and that of its threads, is off by DRILL_CLOCK_SHIFT_MS. Timers are not
 * touched, as with a machine whose clock was set wrong.
 */
const shiftMs = Number(process.env.DRILL_CLOCK_SHIFT_MS ?? 0);
const trueNow = Date.now;
const OrdinaryWorker = globalThis.Worker;

globalThis.Date = new Proxy(Date, {
  construct: (target, words, made) => Reflect.construct(target, words.length > 0 ? words : [trueNow() + shiftMs], made),
});
Date.now = () => trueNow() + shiftMs;

globalThis.Worker = class extends OrdinaryWorker {
  constructor(url: string | URL, options: Bun.WorkerOptions = {}) {
    super(url, { ...options, preload: [import.meta.path] });
  }
};
