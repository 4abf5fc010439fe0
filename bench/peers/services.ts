import { fileURLToPath } from "node:url";
import { killAll, startNodes } from "../drills/support/nodes.ts";
import { Fleet } from "../many-machines/fleet.ts";
import { SendingFleet } from "../support/sending-fleet.ts";

/** Vehicles that send, and how many frames each has before anything is measured. */
export interface Size {
  readonly devices: number;
  readonly frames: number;
  readonly firstAt: number;
}

/** A program under measurement: where it takes frames and answers reads, and what it is asked there. */
export interface Service {
  readonly name: string;
  readonly pids: readonly number[];
  readonly databaseUrl: string;
  readonly framePort: number;
  readonly readPort: number;
  /** One frame each, in order. */
  readonly frames: (count: number) => string[];
  readonly latest: readonly string[];
  readonly history: readonly string[];
  stop(): Promise<void>;
}

const windows = 500;
const windowMs = 1_000_000;

export async function odographService(databaseUrl: string, size: Size): Promise<Service> {
  const fleet = new Fleet(1, size.devices);
  const [access] = await fleet.load(databaseUrl);
  const [node] = await startNodes(1, { databaseUrl });
  if (!access || !node) throw new Error("odograph did not start");
  const sending = sendingFleet(size);
  const get = (path: string) => request(path, `X-API-Key: ${access.key}\r\n`);
  return {
    name: "odograph",
    pids: [node.pid ?? 0],
    databaseUrl,
    framePort: portOf(node.ingestUrl),
    readPort: portOf(node.url),
    frames: (count) => sending.osmandRequests(count, access.token),
    latest: [get("/v1/positions/latest?limit=100")],
    history: pages(size).map(({ device, from, to }) =>
      get(`/v1/positions/history?device_id=${fleet.deviceId(0, device)}&from=${from}&to=${to}&limit=100`),
    ),
    stop: () => killAll([node]),
  };
}

export async function fastifyService(databaseUrl: string, size: Size): Promise<Service> {
  const file = fileURLToPath(new URL("./fastify-service.mjs", import.meta.url));
  const env = { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: "production" };
  const child = Bun.spawn(["node", file], { env, stdout: "pipe", stderr: "inherit" });
  const port = await listeningPort(child.stdout);
  const sending = sendingFleet(size);
  return {
    name: "fastify",
    pids: [child.pid],
    databaseUrl,
    framePort: port,
    readPort: port,
    frames: (count) => sending.osmandRequests(count, ""),
    latest: [request("/latest?limit=100")],
    history: pages(size).map(({ device, from, to }) =>
      request(`/history?imei=${imeiOf(device)}&from=${from}&to=${to}&limit=100`),
    ),
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

export function pathOf(request: string): string {
  return request.split(" ")[1] ?? "";
}

export function sendingFleet({ devices, firstAt }: Size): SendingFleet {
  return new SendingFleet(
    devices,
    firstAt,
    Array.from({ length: devices }, (_, device) => imeiOf(device)),
  );
}

/** As in `Fleet`. */
export function imeiOf(device: number): string {
  return String(860_000_000_000_000 + device);
}

/** Of devices and windows in turn, so many that no page is in a cache. */
export function pages({ devices, frames, firstAt }: Size) {
  const spanMs = Math.max(0, frames * 10_000 - windowMs);
  return Array.from({ length: windows }, (_, index) => {
    const from = firstAt + (((index * 7919) % windows) * spanMs) / windows;
    const iso = (at: number) => new Date(at).toISOString();
    return { device: index % devices, from: iso(from), to: iso(from + windowMs) };
  });
}

export function request(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function listeningPort(stdout: ReadableStream<Uint8Array>): Promise<number> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    const port = /listening http:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("the service ended before it listened");
}
