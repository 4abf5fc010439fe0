import { readdir } from "node:fs/promises";

const ticksPerSecond = 100;

/** Processor time of processes by number, each with its threads and children, also those that have ended. */
export async function cpuSeconds(pids: readonly number[]): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(names.map(processOf));
  return pids.map((pid) => {
    let ticks = 0;
    for (const { number, parent, own, ended } of processes) {
      if (number === pid) ticks += own + ended;
      else if (parent === pid) ticks += own;
    }
    return ticks / ticksPerSecond;
  });
}

async function processOf(name: string) {
  const text = await Bun.file(`/proc/${name}/stat`)
    .text()
    .catch(() => "");
  // The program's name may contain anything, but ends with the last bracket.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticksAt = (from: number) => Number(fields[from] ?? 0) + Number(fields[from + 1] ?? 0);
  return { number: Number(name), parent: Number(fields[1]), own: ticksAt(11), ended: ticksAt(13) };
}

/** Bytes in both directions over each open connection to a port of this machine, by its two addresses. */
export type Connections = ReadonlyMap<string, number>;

/** The connections that are open now; null without the tool `ss`. */
export async function connectionsTo(port: number): Promise<Connections | null> {
  if (Bun.which("ss") === null) return null;
  const child = Bun.spawn(["ss", "-tinHO", "sport", "=", `:${port}`], { stdout: "pipe", stderr: "ignore" });
  const lines = (await new Response(child.stdout).text()).split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, , , local, peer] = line.trim().split(/\s+/);
      const bytesOf = (field: string) => Number(new RegExp(`\\b${field}:(\\d+)`).exec(line)?.[1] ?? 0);
      return [`${local} ${peer}`, bytesOf("bytes_sent") + bytesOf("bytes_received")];
    }),
  );
}

/** What went over the connections that are still open. Those that have ended meanwhile are not counted. */
export function bytesBetween(before: Connections | null, after: Connections | null): number {
  if (before === null || after === null) return Number.NaN;
  let bytes = 0;
  for (const [name, count] of after) bytes += count - (before.get(name) ?? 0);
  return bytes;
}
