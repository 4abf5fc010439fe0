/**
 * Two nodes with a streaming replica, under load of reads and writes, while the replica is paused, stopped, frozen and
 * promoted.
 *
 *     node_modules/.bin/bun bench/drills/replica.ts [--seconds 5] [--readers 8] [--accounts 20] [--writes 20]
 *
 * Each reader first reads at random and now and then reads back what was acknowledged to it a moment ago, from the other
 * node. It holds if no client saw an error, each found its own frames, no answer took longer than three seconds, and the
 * replica was read whenever it could be.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SQL } from "bun";
import { type ReplicatedPostgres, startReplicatedPostgres } from "../../test/support/postgres-replica.ts";
import { freePort } from "../support/servers.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    readers: { type: "string", default: "8" },
    accounts: { type: "string", default: "20" },
    writes: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log("replica [--seconds N of each phase] [--readers N] [--accounts N] [--writes N a second]");
  process.exit(0);
}
const phaseMs = Number(options.seconds) * 1000;
const readers = Number(options.readers);
const accounts = Number(options.accounts);
const writesPerSecond = Number(options.writes);
const longestAllowedMs = 3_000;
/** Frames of each vehicle before the load begins. */
const history = 2_000;
const framesPerMessage = 500;
const stepMs = 10_000;
const beginAt = Date.now() - 7 * 86_400_000;

const program = fileURLToPath(new URL("../../bin/odograph", import.meta.url));

interface Node {
  readonly url: string;
  readonly ingestUrl: string;
  stop(): Promise<void>;
}

interface Vehicle {
  readonly imei: string;
  readonly key: string;
  readonly token: string;
  frames: number;
}

interface Figures {
  reads: number;
  errors: number;
  unseen: number;
  longestMs: number;
}

async function odograph(words: readonly string[], databaseUrl: string, input = ""): Promise<string> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = Bun.spawn([program, ...words], { env, stdin: new Blob([input]), stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`odograph ${words[0]} failed`);
  return text;
}

async function startNode(databaseUrl: string, readUrl: string | null): Promise<Node> {
  const ports = [await freePort(), await freePort()] as const;
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ...(readUrl === null ? {} : { DATABASE_READ_URL: readUrl }),
  };
  const words = ["serve", "--port", String(ports[0]), "--ingest-port", String(ports[1]), "--log-level", "warn"];
  const child = Bun.spawn([program, ...words], {
    env: { ...env, BUN_FEATURE_FLAG_NO_ORPHANS: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  for await (const chunk of child.stdout) {
    if (!new TextDecoder().decode(chunk).includes("listening ")) continue;
    const stop = async () => {
      child.kill("SIGTERM");
      await child.exited;
    };
    return { url: `http://127.0.0.1:${ports[0]}`, ingestUrl: `http://127.0.0.1:${ports[1]}`, stop };
  }
  throw new Error("a node ended before it listened");
}

/** Accounts with a vehicle each, so that a change of one leaves the others level. */
async function loadFleet(databaseUrl: string): Promise<Vehicle[]> {
  const id = (kind: number, number: number) => `0b5f1c1e-000${kind}-4000-8000-${String(number).padStart(12, "0")}`;
  const numbers = Array.from({ length: accounts }, (_, index) => index + 1);
  const imeiOf = (number: number) => String(356_307_042_000_000 + number);
  const lines = numbers.flatMap((number) => [
    {
      type: "account",
      id: id(1, number),
      name: `A ${number}`,
      limits: { per_second: 100_000, per_day: 1_000_000_000 },
    },
    {
      type: "user",
      id: id(2, number),
      account_id: id(1, number),
      name: "Olga",
      email: `olga${number}@acme.test`,
      role: "owner",
    },
    { type: "device", id: id(3, number), account_id: id(1, number), imei: imeiOf(number), name: `V ${number}` },
  ]);
  await odograph(["load", "-"], databaseUrl, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const vehicles: Vehicle[] = [];
  for (const number of numbers) {
    const ofUser = ["--user", `olga${number}@acme.test`, "--name", "drill", "--scopes", "all", "--json"];
    const { key } = JSON.parse(await odograph(["keys", "create", ...ofUser], databaseUrl));
    const ofAccount = ["--account", id(1, number), "--name", "drill", "--json"];
    const { token } = JSON.parse(await odograph(["ingest-tokens", "create", ...ofAccount], databaseUrl));
    vehicles.push({ imei: imeiOf(number), key, token, frames: 0 });
  }
  return vehicles;
}

/** Sends the next frames of a vehicle. Returns the time of the last when they are acknowledged; null: they were not. */
async function send({ ingestUrl }: Node, vehicle: Vehicle, count: number): Promise<string | null> {
  const frames = Array.from({ length: count }, () => {
    const at = beginAt + vehicle.frames * stepMs;
    const course = vehicle.frames++ % 400;
    return {
      imei: vehicle.imei,
      recorded_at: new Date(at).toISOString(),
      position: { latitude: 52.5 + 0.001 * Math.min(course, 200), longitude: 13.4, speed_kmh: course < 200 ? 60 : 0 },
      ignition: course < 200,
      sensors: [{ kind: "fuel", sensor: "tank", level_percent: 90 - (course % 50) }],
    };
  });
  const headers = { Authorization: `Bearer ${vehicle.token}`, "Content-Type": "application/json" };
  const response = await fetch(`${ingestUrl}/frames`, { method: "POST", headers, body: JSON.stringify(frames) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`frames were refused: ${response.status} ${text}`);
  return new Date(beginAt + (vehicle.frames - 1) * stepMs).toISOString();
}

const window = `from=${new Date(beginAt).toISOString()}&to=${new Date(beginAt + 30 * 86_400_000).toISOString()}`;

function randomPath({ imei, frames }: Vehicle): string {
  const from = new Date(beginAt + Math.floor(Math.random() * Math.max(1, frames - 200)) * stepMs).toISOString();
  const to = new Date(beginAt + 30 * 86_400_000).toISOString();
  const paths = [
    `/positions/history?imei=${imei}&from=${from}&to=${to}&limit=100`,
    `/positions/history?imei=${imei}&from=${from}&to=${to}&limit=500`,
    `/trips?${window}`,
    `/alerts?${window}`,
    `/sensors/fuel?from=${from}&to=${to}`,
    `/reports/mileage?${window}`,
  ];
  return paths[Math.floor(Math.random() * paths.length)] as string;
}

/** Readers and writers until they are stopped. */
function startLoad(nodes: readonly Node[], vehicles: readonly Vehicle[], writes: number) {
  let figures = noFigures();
  let isOver = false;
  const nodeOf = (turn: number) => nodes[turn % nodes.length] as Node;
  const get = async (node: Node, vehicle: Vehicle, path: string) => {
    const begun = performance.now();
    const found = await fetch(`${node.url}/v1${path}`, { headers: { "X-API-Key": vehicle.key } })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error) => ({ status: 0, text: String(error) }));
    figures.reads++;
    figures.longestMs = Math.max(figures.longestMs, performance.now() - begun);
    if (found.status === 200) return found.text;
    figures.errors++;
    console.log(`  ${found.status} ${path}: ${found.text.slice(0, 200)}`);
    return null;
  };
  const read = async (reader: number) => {
    for (let turn = reader; !isOver; turn++) {
      const vehicle = vehicles[Math.floor(Math.random() * vehicles.length)] as Vehicle;
      await get(nodeOf(turn), vehicle, randomPath(vehicle));
    }
  };
  /** One by one, so that a vehicle's frames are in order; each is read back from the other node. */
  const write = async () => {
    for (let turn = 0; !isOver; turn++) {
      const vehicle = vehicles[turn % vehicles.length] as Vehicle;
      const last = await send(nodeOf(turn), vehicle, 1);
      const path = `/positions/history?imei=${vehicle.imei}&valid_only=false&from=${last}&to=${new Date(Date.now() + 86_400_000).toISOString()}`;
      const text = await get(nodeOf(turn + 1), vehicle, path);
      if (text !== null && !text.includes(String(last))) figures.unseen++;
      await Bun.sleep(1000 / writes);
    }
  };
  const loops = [...Array.from({ length: readers }, (_, reader) => read(reader)), ...(writes > 0 ? [write()] : [])];
  return {
    /** Since the last call. */
    take(): Figures {
      const taken = figures;
      figures = noFigures();
      return taken;
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

function noFigures(): Figures {
  return { reads: 0, errors: 0, unseen: 0, longestMs: 0 };
}

async function pagesOf(nodes: readonly Node[]): Promise<{ replica: number; primary: number }> {
  const pages = { replica: 0, primary: 0 };
  for (const { ingestUrl } of nodes) {
    const text = await (await fetch(`${ingestUrl}/metrics`)).text();
    for (const from of ["replica", "primary"] as const) {
      pages[from] += Number(new RegExp(`odograph_page_reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
    }
  }
  return pages;
}

const servers = await startReplicatedPostgres();
const running: Node[] = [];
try {
  process.exitCode = (await drill(servers)) ? 0 : 1;
} finally {
  await Promise.all(running.map((node) => node.stop()));
  await servers.remove();
}

async function drill({ primary, replica, databaseUrls }: ReplicatedPostgres): Promise<boolean> {
  const urls = databaseUrls("drill");
  const admin = new SQL({ url: primary.url, max: 1 });
  await admin.unsafe("create database drill");
  await admin.close();
  console.log(`a fleet of ${accounts} accounts, ${history} frames of each vehicle, ${readers} readers`);
  const vehicles = await loadFleet(urls.primary);
  const nodes = [await startNode(urls.primary, urls.replica), await startNode(urls.primary, urls.replica)] as const;
  running.push(...nodes);
  for (const vehicle of vehicles) {
    for (let sent = 0; sent < history; sent += framesPerMessage) await send(nodes[0], vehicle, framesPerMessage);
  }
  await replica.isLevel();

  const isUsable = (name: string) => ["level", "thawed", "built again"].includes(name);
  const steps: readonly (readonly [string, () => Promise<unknown> | unknown])[] = [
    ["level", () => {}],
    ["paused", () => replica.pause()],
    ["resumed", () => replica.resume()],
    ["stopped", () => replica.stop()],
    ["started", () => replica.start()],
    ["frozen", () => replica.freeze()],
    ["thawed", () => replica.thaw()],
    ["promoted", () => replica.promote()],
    [
      "built again",
      () =>
        replica
          .stop()
          .then(() => replica.rebuild())
          .then(replica.start),
    ],
  ];
  let held = true;
  const load = startLoad(nodes, vehicles, writesPerSecond);
  console.log(row("replica", "reads", "on replica", "longest", "errors", "writes not seen"));
  for (const [name, step] of steps) {
    const before = await pagesOf(nodes);
    load.take();
    await step();
    await Bun.sleep(phaseMs);
    const { reads, errors, unseen, longestMs } = load.take();
    const after = await pagesOf(nodes);
    const [onReplica, onPrimary] = [after.replica - before.replica, after.primary - before.primary];
    const share = `${Math.round((100 * onReplica) / Math.max(1, onReplica + onPrimary))} %`;
    console.log(row(name, reads, share, `${Math.round(longestMs)} ms`, errors, unseen));
    held &&= errors === 0 && unseen === 0 && longestMs <= longestAllowedMs && (onReplica > 0 || !isUsable(name));
  }
  await load.stop();

  await Promise.all(running.splice(0).map((node) => node.stop()));
  await replica.isLevel();
  console.log(row("", "reads", "on replica", "primary CPU", "replica CPU", "a thousand reads"));
  for (const readUrl of [null, urls.replica, null, urls.replica]) {
    const node = await startNode(urls.primary, readUrl);
    running.push(node);
    const alone = startLoad([node], vehicles, 0);
    await Bun.sleep(1_000);
    const before = [await primary.cpuMs(), await replica.cpuMs()] as const;
    alone.take();
    await Bun.sleep(phaseMs);
    const { reads, errors } = alone.take();
    const [ofPrimary, ofReplica] = [(await primary.cpuMs()) - before[0], (await replica.cpuMs()) - before[1]];
    const pages = await pagesOf([node]);
    await alone.stop();
    await Promise.all(running.splice(0).map((one) => one.stop()));
    const share = `${Math.round((100 * pages.replica) / Math.max(1, pages.replica + pages.primary))} %`;
    const perThousand = `${Math.round((1000 * ofPrimary) / reads)} + ${Math.round((1000 * ofReplica) / reads)} ms`;
    const name = readUrl === null ? "without" : "with";
    console.log(row(name, reads, share, `${ofPrimary} ms`, `${ofReplica} ms`, perThousand));
    held &&= errors === 0 && (readUrl === null || pages.replica > 0);
  }
  console.log(held ? "held" : "not held");
  return held;
}

function row(...cells: readonly (string | number)[]): string {
  return cells.map((cell, index) => (index === 0 ? String(cell).padEnd(12) : String(cell).padStart(16))).join("");
}
