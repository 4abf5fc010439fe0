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
  /** Null: its database is inside it, or was given by its process. */
  readonly databaseUrl: string | null;
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

export interface TraccarGiven {
  readonly osmand: number;
  readonly web: number;
  readonly pid: number;
  /** E-mail and password of a user who sees all devices, with a colon between. */
  readonly user: string;
  readonly databaseUrl: string | null;
}

/** One that runs already, on this machine. It must have the devices, or register those that it does not know. */
export async function traccarService(given: TraccarGiven, size: Size): Promise<Service> {
  const sending = sendingFleet(size);
  const authorization = `Authorization: Basic ${Buffer.from(given.user).toString("base64")}\r\n`;
  const get = (path: string) => request(path, `${authorization}Accept: application/json\r\n`);
  const idOf = new Map<string, number>();
  const service = {
    name: "traccar",
    pids: [given.pid],
    databaseUrl: given.databaseUrl,
    framePort: given.osmand,
    readPort: given.web,
    frames: (count: number) => sending.osmandRequests(count, "").map((one) => one.replace("/osmand?", "/?")),
    // All devices: it has no pages.
    latest: [get("/api/positions")],
    get history() {
      return pages(size).map(({ device, from, to }) =>
        get(`/api/positions?deviceId=${idOf.get(imeiOf(device)) ?? 0}&from=${from}&to=${to}`),
      );
    },
    stop: async () => {},
  };
  await Promise.all(service.frames(size.devices).map((one) => fetch(`http://127.0.0.1:${given.osmand}${pathOf(one)}`)));
  const headers = { Authorization: authorization.slice("Authorization: ".length).trim(), Accept: "application/json" };
  const answer = await fetch(`http://127.0.0.1:${given.web}/api/devices`, { headers });
  for (const { uniqueId, id } of (await answer.json()) as { uniqueId: string; id: number }[]) idOf.set(uniqueId, id);
  return service;
}

export function pathOf(request: string): string {
  return request.split(" ")[1] ?? "";
}

function sendingFleet({ devices, firstAt }: Size): SendingFleet {
  return new SendingFleet(
    devices,
    firstAt,
    Array.from({ length: devices }, (_, device) => imeiOf(device)),
  );
}

/** As in `Fleet`. */
function imeiOf(device: number): string {
  return String(860_000_000_000_000 + device);
}

/** Of devices and windows in turn, so many that no page is in a cache. */
function pages({ devices, frames, firstAt }: Size) {
  const spanMs = Math.max(0, frames * 10_000 - windowMs);
  return Array.from({ length: windows }, (_, index) => {
    const from = firstAt + (((index * 7919) % windows) * spanMs) / windows;
    const iso = (at: number) => new Date(at).toISOString();
    return { device: index % devices, from: iso(from), to: iso(from + windowMs) };
  });
}

function request(path: string, headers = ""): string {
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
