/**
 * Loaded into a version of the program before its own code, and into its threads. It takes away what two runs can never have
 * in common: the clock is the driver's, what is random follows from a seed and the clock, and no work begins because
 * half a minute of real time has passed.
 */
// `require`, since an import would fix the names that the program imports before they are replaced here.
const nodeCrypto = require("node:crypto") as { -readonly [Name in keyof typeof import("node:crypto")]: unknown };
const { isMainThread } = require("node:worker_threads") as typeof import("node:worker_threads");
const { createHash } = nodeCrypto as typeof import("node:crypto");

const shared = Bun.mmap(process.env.SAME_ANSWERS_CLOCK ?? "", { shared: true });
const clock = new Float64Array(shared.buffer, shared.byteOffset, 1);
const seed = `${process.env.SAME_ANSWERS_SEED} ${isMainThread ? "first" : "other"} thread`;
const now = () => clock[0] as number;

const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
});
RealDate.now = now;

/** Chores that wait this long or longer are done once, when the program starts, and not again. */
const choreMs = 30_000;
const neverMs = 2 ** 31 - 1;
for (const name of ["setTimeout", "setInterval"] as const) {
  const real = globalThis[name] as (work: () => void, ms?: number, ...rest: unknown[]) => ReturnType<typeof setTimeout>;
  const controlled: typeof real = (work, ms = 0, ...rest) => real(work, ms >= choreMs ? neverMs : ms, ...rest);
  Object.assign(globalThis, { [name]: controlled });
}

/** The driver moves the clock with each request, so what one of them draws does not depend on those before it. */
class Draws {
  #at = Number.NaN;
  #count = 0;

  constructor(readonly kind: string) {}

  bytes(size: number): Buffer {
    if (this.#at !== now()) [this.#at, this.#count] = [now(), 0];
    const draw = `${seed} ${this.kind} ${this.#at} ${this.#count++}`;
    const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, block) =>
      createHash("sha256").update(`${draw} ${block}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, size);
  }
}

const ids = new Draws("ids");
const secrets = new Draws("secrets");

function randomUUID() {
  const bytes = ids.bytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

nodeCrypto.randomBytes = (size: number) => secrets.bytes(size);
nodeCrypto.randomUUID = randomUUID;
Object.assign(globalThis.crypto, { randomUUID });

/** The real one draws its own salt, from which the cookie of a known browser follows. */
const passwordHash = (password: unknown) => `controlled ${createHash("sha256").update(String(password)).digest("hex")}`;
Bun.password.hash = async (password) => passwordHash(password);
Bun.password.verify = async (password, hash) => hash === passwordHash(password);

const RealWorker = Worker;
globalThis.Worker = class extends RealWorker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(file, { ...options, preload: [import.meta.path] });
  }
} as typeof Worker;
