import { dlopen, ptr } from "bun:ffi";

/** Of Linux: the processor time of the thread that asks. */
const threadClock = 3;

const read = process.platform === "linux" ? linuxClock() : null;

/** Processor time of this thread, in µs. Runtimes report it in steps of milliseconds, which is too coarse here. */
export function threadMicros(): number {
  if (read !== null) return read();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function linuxClock(): () => number {
  const { symbols } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
  const time = new BigInt64Array(2);
  const address = ptr(time);
  return () => {
    symbols.clock_gettime(threadClock, address);
    return Number(time[0]) * 1e6 + Number(time[1]) / 1_000;
  };
}
