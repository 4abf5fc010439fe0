import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres-server.mjs";
import { Machines } from "./many-machines/machines.ts";
import { cpuSeconds } from "./many-machines/processes.ts";
import { fastifyService, odographService, pathOf, type Service, traccarService } from "./peers/services.ts";
import { measureTrucks } from "./peers/trucks.ts";
import { median } from "./support/figures.ts";
import { runClient } from "./support/servers.ts";

const help = `What odograph costs beside other programs, measured in turns on one machine. bench/peers/README.md says what is compared.

  node_modules/.bin/bun bench/peers.ts [options]

  --devices N     that send, in one account (200)
  --frames N      of each device before anything is measured (200)
  --seconds S     of each measurement in each round (5)
  --rounds R      (3)
  --trucks N      in the part with plain PostgreSQL (400), with --rows N of each (500); 0: without it
  --traccar osmand=PORT,web=PORT,pid=PID,user=EMAIL:PASSWORD[,database=URL]
                  a Traccar that runs on this machine; without it the others are measured`;

const { values: options } = parseArgs({
  options: {
    devices: { type: "string", default: "200" },
    frames: { type: "string", default: "200" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    trucks: { type: "string", default: "400" },
    rows: { type: "string", default: "500" },
    traccar: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const seconds = Number(options.seconds);
const dayMs = 86_400_000;
const firstAt = (Math.floor(Date.now() / dayMs) - 3) * dayMs;
const size = { devices: Number(options.devices), frames: Number(options.frames), firstAt };
/** More than anybody stores in a second. */
const maxFramesPerSecond = 15_000;

interface Figure {
  readonly perSecond: number;
  /** Of the program and of its database, for each request. */
  readonly cpuMicros: number;
}

if (options.help) console.log(help);
else await compare();

async function compare(): Promise<void> {
  const server = await startPostgres();
  const admin = new Bun.SQL(server.url, { max: 1 });
  const database = async (name: string) => {
    const own = `peers_${name}_${process.pid}`;
    await admin.unsafe(`create database ${own}`);
    const url = new URL(server.url);
    url.pathname = `/${own}`;
    return url.href;
  };
  const services: Service[] = [];
  try {
    services.push(await odographService(await database("odograph"), size));
    services.push(await fastifyService(await database("fastify"), size));
    if (options.traccar) services.push(await traccarService(givenTraccar(options.traccar), size));
    for (const service of services) await prepare(service);
    await inTurns("one frame (OsmAnd)", services, (service) =>
      measure(service, service.framePort, service.frames(seconds * maxFramesPerSecond)),
    );
    await inTurns("100 latest positions", services, (service) => measure(service, service.readPort, service.latest));
    await inTurns("100 frames of history", services, (service) => measure(service, service.readPort, service.history));
    if (Number(options.trucks) > 0) await printTrucks(await database("trucks"));
  } finally {
    for (const service of services) await service.stop();
    await admin.close();
  }
}

function givenTraccar(text: string) {
  const given = new Map(text.split(",").map((part) => [part.split("=", 1)[0], part.slice(part.indexOf("=") + 1)]));
  const { osmand, web, pid, user, database } = Object.fromEntries(given) as Record<string, string | undefined>;
  if (!osmand || !web || !pid || !user) throw new Error("--traccar needs osmand, web, pid and user: see --help");
  return { osmand: Number(osmand), web: Number(web), pid: Number(pid), user, databaseUrl: database ?? null };
}

/** Sends the frames that pages are read from, and makes sure that what is measured is answered. */
async function prepare(service: Service): Promise<void> {
  const queue = service.frames(size.devices * size.frames);
  const sender = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) await answered(service, service.framePort, one);
  };
  await Promise.all(Array.from({ length: 32 }, sender));
  for (const one of [service.latest[0], service.history[0]]) await answered(service, service.readPort, one ?? "");
}

async function answered(service: Service, port: number, request: string): Promise<void> {
  const headers = Object.fromEntries(
    request
      .split("\r\n")
      .slice(2)
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const response = await fetch(`http://127.0.0.1:${port}${pathOf(request)}`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service.name}: ${response.status} ${text.slice(0, 300)}`);
}

async function measure(service: Service, port: number, requests: readonly string[]): Promise<Figure> {
  const machines = service.databaseUrl === null ? null : new Machines(service.databaseUrl);
  await machines?.find(new Map());
  const used = async () => {
    const own = await cpuSeconds(service.pids);
    return [...own, ...((await machines?.use())?.cpuSeconds ?? [])].reduce((sum, value) => sum + value, 0);
  };
  const before = await used();
  const { perSecond } = await runClient(port, requests, seconds);
  const figure = { perSecond, cpuMicros: (((await used()) - before) * 1e6) / (perSecond * seconds) };
  await machines?.close();
  return figure;
}

/** One round that is not measured, then the others. Who goes first takes turns as well. */
async function inTurns(
  name: string,
  services: readonly Service[],
  run: (service: Service) => Promise<Figure>,
): Promise<void> {
  const figures = services.map((): Figure[] => []);
  for (let round = 0; round <= Number(options.rounds); round++) {
    const order = [...services.keys()];
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      const figure = await run(services[index] as Service);
      if (round > 0) figures[index]?.push(figure);
    }
  }
  const [own = []] = figures;
  for (const [index, service] of services.entries()) {
    const mine = figures[index] ?? [];
    const middle = (of: (figure: Figure) => number) => median(mine.map(of));
    const ratio = median(mine.map(({ cpuMicros }, round) => cpuMicros / (own[round]?.cpuMicros ?? Number.NaN)));
    console.log(
      `${(index === 0 ? name : "").padEnd(24)} ${service.name.padEnd(10)} ${Math.round(middle(({ perSecond }) => perSecond))}/s, ` +
        `${Math.round(middle(({ cpuMicros }) => cpuMicros))} µs of processor time, ${ratio.toFixed(2)} × odograph's`,
    );
  }
}

async function printTrucks(url: string): Promise<void> {
  const trucks = { trucks: Number(options.trucks), rows: Number(options.rows), seconds };
  console.log(
    `\nplain PostgreSQL, ${trucks.trucks} trucks with ${trucks.rows} rows each (random walks: trips of them mean nothing)`,
  );
  for (const { name, perSecond, cpuMicros } of await measureTrucks(url, trucks)) {
    console.log(
      `${name.padEnd(36)} ${Math.round(perSecond)}/s, ${cpuMicros.toFixed(1)} µs of PostgreSQL's processor time`,
    );
  }
}
