import type { Fleet } from "./fleet.ts";
import { devicesWithHistory, historyFrames } from "./frames.ts";
import type { Side } from "./side.ts";

const windows = 2_000;
const windowMs = 100 * 10_000;

export interface Read {
  /** For `--only`. */
  readonly word: string;
  readonly name: string;
  /** The paths for one account. */
  readonly paths: (fleet: Fleet, account: number, firstAt: number) => string[];
  /** Asks again with the tag of the last answer: nothing has changed. */
  readonly isPoll?: boolean;
}

export const reads: readonly Read[] = [
  { word: "poll", name: "poll, 304", paths: () => ["/v1/positions/latest"], isPoll: true },
  { word: "latest", name: "100 latest positions", paths: () => ["/v1/positions/latest?limit=100"] },
  { word: "history", name: "100 frames of history", paths: historyPages },
  { word: "devices", name: "100 devices", paths: () => ["/v1/devices?limit=100"] },
  {
    word: "trips",
    name: "100 trips",
    paths: (_fleet, _account, firstAt) => [`/v1/trips?from=${iso(firstAt)}&limit=100`],
  },
];

/** Each account in turn, with its own key. */
export async function requestsOf(read: Read, side: Side, fleet: Fleet, accounts: number, firstAt: number) {
  const lists: string[][] = [];
  for (let account = 0; account < accounts; account++) {
    const head = `Host: 127.0.0.1\r\nX-API-Key: ${side.access[account]?.key}\r\n`;
    const lines: string[] = [];
    for (const path of read.paths(fleet, account, firstAt)) {
      const tag = read.isPoll ? `If-None-Match: ${await tagOf(side, account, path)}\r\n` : "";
      lines.push(`GET ${path} HTTP/1.1\r\n${head}${tag}\r\n`);
    }
    lists.push(lines);
  }
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

async function tagOf(side: Side, account: number, path: string): Promise<string> {
  const headers = { "X-API-Key": side.access[account]?.key ?? "", "Accept-Encoding": "identity" };
  const response = await fetch(`${side.nodes[0]?.url}${path}`, { headers });
  await response.arrayBuffer();
  return response.headers.get("etag") ?? "";
}

/** Windows of the devices that have a history; so many that no page is in a cache. */
function historyPages(fleet: Fleet, account: number, firstAt: number): string[] {
  const spanMs = historyFrames * 10_000 - windowMs;
  return Array.from({ length: Math.ceil(windows / fleet.accounts) }, (_, index) => {
    const id = fleet.deviceId(account, index % devicesWithHistory);
    const from = firstAt + (((index * 7919) % windows) * spanMs) / windows;
    return `/v1/positions/history?device_id=${id}&from=${iso(from)}&to=${iso(from + windowMs)}&limit=100`;
  });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
