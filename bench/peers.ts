/**
 * What odograph costs beside other programs, measured in turns on one machine. bench/peers/README.md says what is compared.
 *
 *   node_modules/.bin/bun bench/peers.ts [options]
 *
 *   --devices N     that send, in one account (100: then a page has all that Traccar answers)
 *   --frames N      of each device before anything is measured (200)
 *   --seconds S     of each measurement in each round (4)
 *   --rounds R      (3)
 *   --traccar DIR   a Traccar as its releases unpack it, to be run with java; without it the others are measured
 *   --trucks N      in the part with plain PostgreSQL (400), with --rows N of each (250); 0: without it
 *   --tsbs DIR      with TSBS's programs tsbs_generate_data and tsbs_load_timescaledb; without it the trucks are our own
 */

import { startPostgres } from "../test/support/postgres-server.mjs";
import { fastifyService, odographService, pathOf, type Service } from "./peers/services.ts";
import { traccarService } from "./peers/traccar.ts";
import { ownTrucks, stepMs, tsbsTrucks } from "./peers/truck-data.ts";
import { odographTrucks } from "./peers/truck-odograph.ts";
import { postgresTrucks } from "./peers/truck-postgres.ts";
import { type TruckStore, truckQuestions } from "./peers/truck-store.ts";
import { costOf, inTurns, onceEach, printHead } from "./peers/turns.ts";
import { readOptions } from "./support/options.ts";
import { runClient } from "./support/servers.ts";

const options = readOptions(import.meta.url, {
  devices: 100,
  frames: 200,
  seconds: 4,
  rounds: 3,
  traccar: null,
  trucks: 400,
  rows: 250,
  tsbs: null,
});
const seconds = options.seconds;
const turns = { rounds: options.rounds, seconds, warmSeconds: seconds };
/** For reads by HTTP, which nothing has warmed yet. */
const longTurns = { ...turns, warmSeconds: 2.5 * seconds };
const dayMs = 86_400_000;
const firstAt = (Math.floor(Date.now() / dayMs) - 3) * dayMs;
const size = { devices: options.devices, frames: options.frames, firstAt };
/** More than anybody stores in a second. */
const maxFramesPerSecond = 15_000;

type NewDatabase = (name: string) => Promise<string>;

await compare();

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
  try {
    printHead();
    await compareServices(database);
    if (options.trucks > 0) await compareTrucks(database);
  } finally {
    await admin.close();
    await server.stop();
  }
}

async function compareServices(database: NewDatabase): Promise<void> {
  const services: Service[] = [];
  try {
    services.push(await odographService(await database("odograph"), size));
    services.push(await fastifyService(await database("fastify"), size));
    if (options.traccar) services.push(await traccarService(options.traccar, await database("traccar"), size));
    for (const service of services) await prepare(service);
    const measured = (port: "framePort" | "readPort", requests: (of: Service, seconds: number) => readonly string[]) =>
      services.map((service) => ({
        name: service.name,
        run: (forSeconds: number) => measure(service, service[port], requests(service, forSeconds), forSeconds),
      }));
    const frames = measured("framePort", (service, forSeconds) => service.frames(forSeconds * maxFramesPerSecond));
    await inTurns("one frame (OsmAnd)", frames, turns);
    const latest = measured("readPort", (service) => service.latest);
    await inTurns(`${Math.min(100, size.devices)} latest positions`, latest, longTurns);
    const history = measured("readPort", (service) => service.history);
    await inTurns("100 frames of history", history, longTurns);
  } finally {
    for (const service of services) await service.stop();
  }
}

/** Sends the frames that pages are read from, and makes sure that what is measured is answered. */
async function prepare(service: Service): Promise<void> {
  const queue = service.frames(size.devices * size.frames);
  const sender = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) await answered(service, service.framePort, one);
  };
  await Promise.all(Array.from({ length: 32 }, sender));
  for (const one of [service.latest[0], service.history[0]]) {
    const text = await answered(service, service.readPort, one ?? "");
    if (!text.includes('"latitude"')) throw new Error(`${service.name}: no positions in ${text.slice(0, 300)}`);
  }
}

async function answered(service: Service, port: number, request: string): Promise<string> {
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
  return text;
}

async function measure(service: Service, port: number, requests: readonly string[], forSeconds: number) {
  return costOf(service, async () => {
    const { perSecond } = await runClient(port, requests, forSeconds);
    return { count: perSecond * forSeconds, seconds: forSeconds };
  });
}

async function compareTrucks(database: NewDatabase): Promise<void> {
  const shape = { trucks: options.trucks, rows: options.rows, firstAt };
  const data = options.tsbs ? await tsbsTrucks(options.tsbs, shape) : ownTrucks(shape);
  const endAt = firstAt + shape.rows * stepMs;
  const stores: TruckStore[] = [];
  try {
    stores.push(await odographTrucks(await database("odograph_trucks"), data, endAt));
    stores.push(postgresTrucks(await database("trucks"), data, endAt, options.tsbs ?? null));
    const fills = stores.map(({ name, fill }) => ({ name, run: fill }));
    await onceEach(options.tsbs ? "a truck's row in (TSBS)" : "a truck's row in", fills);
    for (const question of truckQuestions) {
      const asked = stores.map(({ name, questions }) => ({ name, run: questions[question] }));
      await inTurns(question, asked, turns);
    }
  } finally {
    for (const store of stores) await store.close();
    await data.remove();
  }
}
