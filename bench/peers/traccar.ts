import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/servers.ts";
import { imeiOf, pages, pathOf, request, type Service, type Size, sendingFleet } from "./services.ts";

const startLimitMs = 120_000;

/**
 * Starts Traccar from a directory like that of its releases (`tracker-server.jar`, `lib`, `schema`). It listens on 127.0.0.1 only,
 * sends nothing elsewhere, and registers the devices that call in.
 */
export async function traccarService(root: string, databaseUrl: string, size: Size): Promise<Service> {
  const own = await mkdtemp(join(tmpdir(), "odograph-peers-traccar-"));
  const ports = { osmand: await freePort(), web: await freePort() };
  const file = join(own, "traccar.xml");
  await writeFile(file, settings(databaseUrl, own, ports), { mode: 0o600 });
  const output = Bun.file(join(own, "output"));
  const command = ["java", "-jar", "tracker-server.jar", file];
  const child = Bun.spawn(command, { cwd: root, stdout: "ignore", stderr: output });
  const stop = async () => {
    child.kill();
    await child.exited;
    await rm(own, { recursive: true });
  };
  try {
    const api = `http://127.0.0.1:${ports.web}/api`;
    const isUp = () =>
      fetch(`${api}/server`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const until = performance.now() + startLimitMs; !(await isUp()); await Bun.sleep(200)) {
      if (child.exitCode !== null || performance.now() > until)
        throw new Error(`Traccar did not start: ${(await output.text()).slice(-2_000)}`);
    }
    const authorization = await newAdministrator(api);
    const sending = sendingFleet(size);
    const frames = (count: number) => sending.osmandRequests(count, "").map((one) => one.replace("/osmand?", "/?"));
    for (const one of frames(size.devices)) await answered(`http://127.0.0.1:${ports.osmand}${pathOf(one)}`);
    const ids = await linkDevices(api, authorization);
    const get = (path: string) => request(path, `Authorization: ${authorization}\r\nAccept: application/json\r\n`);
    return {
      name: "traccar",
      pids: [child.pid],
      databaseUrl,
      framePort: ports.osmand,
      readPort: ports.web,
      frames,
      // It has no pages: all devices.
      latest: [get("/api/positions")],
      history: pages(size).map(({ device, from, to }) =>
        get(`/api/positions?deviceId=${ids.get(imeiOf(device))}&from=${from}&to=${to}`),
      ),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settings(databaseUrl: string, own: string, ports: { readonly osmand: number; readonly web: number }): string {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const entries = {
    "database.driver": "org.postgresql.Driver",
    "database.url": `jdbc:postgresql://${hostname}:${port}${pathname}`,
    "database.user": username,
    "database.password": password,
    "database.registerUnknown": "true",
    "web.address": "127.0.0.1",
    "web.port": String(ports.web),
    "web.path": own,
    "media.path": join(own, "media"),
    "protocols.enable": "osmand",
    "osmand.address": "127.0.0.1",
    "osmand.port": String(ports.osmand),
    "geocoder.enable": "false",
    // Otherwise it would tell its makers how much it is used.
    "server.statistics": `http://127.0.0.1:${ports.web}/`,
    "logger.level": "warning",
    "logger.file": join(own, "traccar.log"),
  };
  const lines = Object.entries(entries).map(([key, value]) => `<entry key="${key}">${value}</entry>`);
  const type = '<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${type}\n<properties>\n${lines.join("\n")}\n</properties>\n`;
}

/** The first user is one. With a token: a password would be hashed anew for each request. */
async function newAdministrator(api: string): Promise<string> {
  const [email, password] = ["bench@bench.test", randomBytes(16).toString("hex")];
  await answered(`${api}/users`, json({ name: "bench", email, password }));
  const basic = `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`;
  const token = await answered(`${api}/session/token`, {
    method: "POST",
    headers: { Authorization: basic },
    body: new URLSearchParams(),
  });
  return `Bearer ${token}`;
}

/** An administrator, too, sees in lists only devices that are linked to him. Returns the devices' numbers by what they call themselves. */
async function linkDevices(api: string, authorization: string): Promise<Map<string, number>> {
  const headers = { Authorization: authorization, Accept: "application/json" };
  const { id: userId } = JSON.parse(await answered(`${api}/users`, { headers }))[0] as { id: number };
  const devices = JSON.parse(await answered(`${api}/devices?all=true`, { headers })) as {
    id: number;
    uniqueId: string;
  }[];
  for (const { id } of devices) await answered(`${api}/permissions`, json({ userId, deviceId: id }, headers));
  return new Map(devices.map(({ id, uniqueId }) => [uniqueId, id]));
}

function json(value: object, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

async function answered(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`Traccar: ${response.status} ${text.slice(0, 300)}`);
  return text;
}
