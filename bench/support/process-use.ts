import { readdir } from "node:fs/promises";

/** Linux counts a process's time in these. */
const ticksPerSecond = 100;

interface ProcessTime {
  readonly parent: number;
  /** Of all its threads, also of those that have ended. */
  readonly seconds: number;
  /** Of its children that have ended. */
  readonly endedSeconds: number;
}

/** Null if there is no such process, or the system does not tell. */
async function timeOf(pid: number): Promise<ProcessTime | null> {
  const text = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => null);
  if (text === null) return null;
  // The name is in brackets, and may contain anything. After it come the state, the parent, …
  const [, parent, ...rest] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9);
  return {
    parent: parent ?? 0,
    seconds: (user + system) / ticksPerSecond,
    endedSeconds: (endedUser + endedSystem) / ticksPerSecond,
  };
}

/** Processor time of a process so far; null if the system does not tell. */
export async function processSeconds(pid: number): Promise<number | null> {
  return (await timeOf(pid))?.seconds ?? null;
}

/** The same of a process and all its children: of a PostgreSQL server, by the number of one of its backends. */
export async function siblingSeconds(pid: number): Promise<number | null> {
  const parent = (await timeOf(pid))?.parent;
  const own = parent === undefined ? null : await timeOf(parent);
  if (own === null) return null;
  const others = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const times = await Promise.all(others.map(timeOf));
  const children = times.filter((time) => time?.parent === parent);
  return children.reduce((sum, time) => sum + (time?.seconds ?? 0), own.seconds + own.endedSeconds);
}

/** What a process holds in memory. */
export async function residentMb(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
