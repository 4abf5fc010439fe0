import { randomNumbers } from "./drive.ts";
import { type FilledStore, templateOf } from "./filled-store.ts";
import { imeiOf } from "./fleet.ts";
import { type Measure, median, printHead, printRow } from "./measure.ts";
import { openRaw } from "./raw-store.ts";
import { load } from "./servers.ts";
import { type ServedVersion, serve } from "./version.ts";

/** So many that no page is read twice in a second. */
const windows = 2_000;
const pageSize = 100;
/** A page that begins this many frames into a block of 120 ends in the next one. */
const framesIntoBlock = 70;

interface Readable {
  readonly store: FilledStore;
  readonly server: ServedVersion;
  /** When blocks of the templates begin; without blocks, some times of their frames. */
  readonly starts: ReadonlyMap<number, readonly number[]>;
}

type Paths = (readable: Readable) => readonly string[];

const kinds: Readonly<Record<string, Paths>> = {
  "304 poll": () => ["/v1/positions/latest"],
  "100 latest positions": () => ["/v1/positions/latest?limit=100"],
  "history page, newest": ({ store }) => windowsOf(store, () => store.lastAt - (pageSize + 1) * store.size.stepMs),
  "history page, old": ({ store, starts }) => windowsOf(store, (template, random) => startOf(starts, template, random)),
  "history page, old, across two": ({ store, starts }) =>
    windowsOf(store, (template, random) => startOf(starts, template, random) + framesIntoBlock * store.size.stepMs),
};

export const measureReads: Measure = async (stores, { rounds, seconds }) => {
  const readables: Readable[] = [];
  try {
    for (const store of stores) {
      const starts = await startsOf(store);
      readables.push({ store, starts, server: await serve(store.version, store.target) });
    }
    printHead("reads a second (thread µs each)", stores);
    for (const [name, paths] of Object.entries(kinds)) {
      const requests = await Promise.all(readables.map((readable) => requestsOf(readable, name, paths)));
      const results = readables.map((): { perSecond: number; cpuMicros: number }[] => []);
      for (let round = -1; round < rounds; round++) {
        for (const [index, { server }] of readables.entries()) {
          const result = await load(server, requests[index] ?? [], seconds);
          // The first warms up the code.
          if (round >= 0) results[index]?.push(result);
        }
      }
      const figures = results.map((list) => ({
        perSecond: median(list.map(({ perSecond }) => perSecond)),
        micros: median(list.map(({ cpuMicros }) => cpuMicros)),
      }));
      printRow(
        name,
        figures.map(({ perSecond, micros }) => `${Math.round(perSecond)} (${micros.toFixed(0)})`),
      );
      if (figures.length > 1) {
        const [first] = figures;
        printRow(
          "  cost, of the first",
          figures.map(({ micros }) => (micros / (first?.micros ?? 1)).toFixed(2)),
        );
      }
    }
  } finally {
    for (const { server } of readables) await server.stop();
  }
};

function windowsOf(store: FilledStore, start: (template: number, random: number) => number): string[] {
  const { devices, stepMs } = store.size;
  const random = randomNumbers(7);
  return Array.from({ length: windows }, () => {
    const device = Math.floor(random() * devices);
    const from = start(templateOf(device, devices), random());
    const until = from + 2 * pageSize * stepMs;
    const window = `from=${new Date(from).toISOString()}&to=${new Date(until).toISOString()}`;
    return `/v1/positions/history?imei=${imeiOf(device + 1)}&${window}&limit=${pageSize}`;
  });
}

function startOf(starts: Readable["starts"], template: number, random: number): number {
  const list = starts.get(template) ?? [];
  return list[Math.floor(random * list.length)] ?? 0;
}

async function startsOf({ target, size, firstAt, framesEach }: FilledStore): Promise<Readable["starts"]> {
  const raw = openRaw(target);
  try {
    const templates = Array.from({ length: size.devices }, (_, device) => templateOf(device, size.devices));
    const hasBlocks = (await raw.tablesWith(["device", "from_at"])).has("frame_blocks");
    const starts = new Map<number, number[]>();
    for (const template of new Set(templates)) {
      const rows = hasBlocks
        ? await raw.all(`
            select from_at from frame_blocks where device = (
              select device from device_directory where imei = '${imeiOf(template + 1)}') order by from_at`)
        : Array.from({ length: Math.floor(framesEach / 120) }, (_, n) => ({
            from_at: firstAt + n * 120 * size.stepMs,
          }));
      // Not the last ones: after them there must be a page's frames.
      starts.set(template, rows.map(({ from_at }) => Number(from_at)).slice(0, -3));
    }
    return starts;
  } finally {
    await raw.close();
  }
}

async function requestsOf({ store, server, starts }: Readable, name: string, paths: Paths): Promise<string[]> {
  const list = paths({ store, server, starts });
  const headers = { "X-API-Key": store.key, "Accept-Encoding": "identity" };
  const first = await fetch(`${server.url}${list[0]}`, { headers });
  const { data } = (await first.json()) as { data: unknown[] };
  if (data.length < Math.min(pageSize, name.includes("history") ? pageSize : store.size.devices)) {
    throw new Error(`${name}: ${list[0]} has ${data.length} rows`);
  }
  const etag = name.startsWith("304") ? `If-None-Match: ${first.headers.get("etag")}\r\n` : "";
  return list.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${store.key}\r\n${etag}\r\n`);
}
