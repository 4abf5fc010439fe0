import { Chance } from "./chance.ts";
import type { SharedClock } from "./clock.ts";
import type { Comparison } from "./comparison.ts";
import type { WireAnswer } from "./connection.ts";
import { contentOf } from "./difference.ts";
import type { ComparedFleet } from "./fleet.ts";
import { type PlannedMessage, plannedMessages } from "./messages.ts";
import type { Options } from "./options.ts";
import { PortalRequests, portalPage, settledRequests } from "./portal-requests.ts";
import { type Credentials, loadFleet, makeCredentials } from "./prepare.ts";
import { type Description, RandomRequests } from "./requests.ts";
import { Values } from "./values.ts";
import type { Version } from "./version.ts";

const dayMs = 86_400_000;
/** The clock's step from one request to the next, on average. */
const stepMs = 60;
/** What is written behind, and what begins with a start, is done after this real time. */
const settleMs = 1_200;
/** After so many requests what is written behind is looked at, and all begins anew. */
const roundRequests = 10_000;
/** Of the requests, so many are to the portal or are messages to the ingest port. */
const shares = { portal: 0.15, message: 0.01 };

export interface Play {
  readonly comparison: Comparison;
  readonly versions: readonly Version[];
  readonly clock: SharedClock;
  readonly fleet: ComparedFleet;
  readonly options: Options;
}

/** Everything that both versions go through, one step after the other. */
export async function play(parts: Play): Promise<void> {
  const { comparison, versions, clock, fleet, options } = parts;
  const chance = new Chance(options.seed);
  progress("loading the fleet");
  const tokens = await loadFleet(comparison, fleet);
  await start(versions);
  const lastAt = fleet.messages.at(-1)?.at ?? fleet.beginAt;
  const messages = [...plannedMessages(fleet, tokens, chance)];
  // The last of them come between the requests.
  const kept = messages.splice(-Math.ceil(Math.min(messages.length / 4, options.requests * shares.message)));
  for (const [index, { at, request }] of messages.entries()) {
    progress("sending messages", index, messages.length);
    await clock.moveTo(at);
    await comparison.send(request);
  }
  // Midnight comes in the middle of the requests, and with it another day of quotas.
  const beginAt = Math.ceil((lastAt + options.requests * stepMs) / dayMs) * dayMs - (options.requests * stepMs) / 2;
  await clock.moveTo(beginAt);
  await restart(versions);
  const credentials = await makeCredentials(comparison, fleet, tokens, beginAt + (options.requests * stepMs) / 3);
  await askAtRandom(parts, chance, credentials, kept);
}

/**
 * On PostgreSQL messages share transactions as they happen to arrive, and the tokens of `/changes` tell how many there were: two
 * runs of one version differ.
 */
function comparablePaths(description: Description, engine: Options["engine"]): Description {
  if (engine === "sqlite") return description;
  const paths = Object.entries(description.paths).filter(([path]) => path !== "/changes");
  return { ...description, paths: Object.fromEntries(paths) };
}

async function askAtRandom(
  { comparison, versions, clock, fleet, options }: Play,
  chance: Chance,
  credentials: Credentials,
  messages: PlannedMessage[],
): Promise<void> {
  const { sessions, keys } = credentials;
  const described = await comparison.ask({
    label: "GET /v1/openapi.json",
    request: { method: "GET", target: "/v1/openapi.json", headers: {} },
  });
  const description = comparablePaths(
    JSON.parse(contentOf(described, described.body).toString()) as Description,
    options.engine,
  );
  const values = new Values(chance, fleet, { from: fleet.beginAt - dayMs, to: clock.now + dayMs / 4 });
  const requests = new RandomRequests(chance, values, description, keys);
  const portal = new PortalRequests(chance, fleet, sessions, requests);
  for (let index = 0; index < options.requests; index++) {
    progress("asking", index, options.requests);
    if (index > 0 && index % roundRequests === 0) {
      await lookSettled(comparison, credentials);
      await restart(versions);
    }
    await clock.moveBy(chance.between(1, 2 * stepMs - 1));
    const message = chance.is(shares.message) ? messages.shift() : undefined;
    if (message) await comparison.send(message.request);
    else await comparison.ask(chance.is(shares.portal) ? portal.next() : requests.next());
  }
  await lookSettled(comparison, credentials);
  progress("");
}

async function lookSettled(comparison: Comparison, { sessions }: Credentials): Promise<void> {
  await Bun.sleep(settleMs);
  for (const session of sessions) {
    for (const request of settledRequests(session)) await comparison.askSettled(request);
  }
  await comparison.ask(portalPage);
  await comparison.send(metrics, withoutFigures);
  await comparison.run(["keys", "list"]);
}

const metrics = { method: "GET", target: "/metrics", headers: {} };

/** How long something took and how much memory there is differs from run to run. Names and descriptions do not. */
function withoutFigures(answer: WireAnswer): WireAnswer {
  const lines = answer.lines.filter((line) => !/^content-length:/i.test(line));
  return { ...answer, lines, body: Buffer.from(answer.body.toString().replaceAll(/ [\d.e+-]+$/gm, " …")) };
}

async function start(versions: readonly Version[]): Promise<void> {
  await Promise.all(versions.map((version) => version.start()));
  await Bun.sleep(settleMs);
}

/** With nothing in memory, and chores that are done at the start. */
async function restart(versions: readonly Version[]): Promise<void> {
  await Promise.all(versions.map((version) => version.stop()));
  await start(versions);
}

let shownAt = Number.NEGATIVE_INFINITY;

/** One line that is written over, on a terminal; elsewhere a line now and then. */
function progress(what: string, done?: number, total?: number): void {
  const { isTTY } = process.stderr;
  if (performance.now() - shownAt < (isTTY ? 200 : 10_000) && done !== 0 && what !== "") return;
  shownAt = performance.now();
  const text = total === undefined ? what : `${what} ${done} of ${total}`;
  if (isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (what !== "") process.stderr.write(`${text}\n`);
}
