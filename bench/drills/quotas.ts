import { parseArgs } from "node:util";
import { Connection } from "../same-answers/connection.ts";
import { createKey, loadFleet } from "./support/fleet.ts";
import { killAll, type Node, startNodes } from "./support/nodes.ts";
import { onPostgres } from "./support/on-postgres.ts";
import { conclude, explainOrNeed, print } from "./support/report.ts";

const help = `
Four nodes, keys with limits per day and per second, and far more calls than the limits allow, spread over all nodes. Held if
each key was admitted exactly as often as its limits say.

    node_modules/.bin/bun bench/drills/quotas.ts [--calls 40000] [--nodes 4] [--connections 32]

  --calls N         calls of all keys together; 500000 for the full drill
  --nodes N         nodes on one PostgreSQL
  --connections N   calls under way at the same time
`;
explainOrNeed(help);
const { values: options } = parseArgs({
  options: {
    calls: { type: "string", default: "40000" },
    nodes: { type: "string", default: "4" },
    connections: { type: "string", default: "32" },
  },
});
const calls = Number(options.calls);

/** Keys with a limit per day, and of their calls the share that is admitted. */
const dayKeys = 4;
const admittedShare = 0.4;
/** Keys with a limit per second. */
const secondKeys = 2;
const perSecond = 20;

interface LimitedKey {
  readonly key: string;
  readonly limit: "day" | "second";
  readonly perDay: number;
  sent: number;
  admitted: number;
  refused: number;
  failed: number;
  readonly seconds: Map<number, SecondOfKey>;
}

/** What clients saw of one second: calls that began and ended in it, and admitted ones that were under way in it. */
interface SecondOfKey {
  admittedWithin: number;
  admittedTouching: number;
  refusedWithin: number;
}

await onPostgres(drill);

async function drill(databaseUrl: string): Promise<void> {
  await loadFleet(databaseUrl, 3);
  const perDay = Math.floor((calls / (dayKeys + secondKeys)) * admittedShare);
  const keys: LimitedKey[] = [];
  for (let number = 0; number < dayKeys + secondKeys; number++) {
    const limit = number < dayKeys ? "day" : "second";
    const limits = limit === "day" ? { perDay } : { perSecond };
    const key = await createKey(databaseUrl, `quota ${number}`, limits);
    keys.push({ key, limit, perDay, sent: 0, admitted: 0, refused: 0, failed: 0, seconds: new Map() });
  }
  const nodes = await startNodes(Number(options.nodes), { databaseUrl });
  try {
    const day = new Date().getUTCDate();
    const began = performance.now();
    await callAll(nodes, keys);
    const seconds = (performance.now() - began) / 1000;
    if (new Date().getUTCDate() !== day) throw new Error("midnight passed: a new day has its own quota; run it again");
    print("calls", `${calls} on ${nodes.length} nodes in ${Math.round(seconds)} s`);
    for (const [index, key] of keys.entries()) {
      const expected = key.limit === "day" ? `${key.perDay} a day` : `${perSecond} a second`;
      print(`key ${index + 1}, ${expected}`, `${key.admitted} admitted, ${key.refused} refused, ${key.failed} failed`);
    }
    const wrong = keys.flatMap(wrongsOf);
    conclude(wrong.length === 0, wrong.join("; "));
  } finally {
    await killAll(nodes);
  }
}

async function callAll(nodes: readonly Node[], keys: readonly LimitedKey[]): Promise<void> {
  let left = calls;
  const caller = async (number: number) => {
    const { hostname, port } = new URL((nodes[number % nodes.length] as Node).url);
    const connection = new Connection(hostname, Number(port), false);
    while (left > 0) {
      const key = keys[--left % keys.length] as LimitedKey;
      const sentAt = Date.now();
      const headers = { Authorization: `Bearer ${key.key}` };
      const answer = await connection.exchange({ method: "GET", target: "/v1/devices?limit=1", headers });
      note(key, answer.status, sentAt, Date.now());
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: Number(options.connections) }, (_, number) => caller(number)));
}

function note(key: LimitedKey, status: number, sentAt: number, endedAt: number): void {
  key.sent++;
  if (status !== 200 && status !== 429) key.failed++;
  else if (status === 200) key.admitted++;
  else key.refused++;
  const [first, last] = [Math.floor(sentAt / 1000), Math.floor(endedAt / 1000)];
  for (let second = first; second <= last; second++) {
    const seen = key.seconds.get(second) ?? { admittedWithin: 0, admittedTouching: 0, refusedWithin: 0 };
    if (status === 200) seen.admittedTouching++;
    if (first === last && status === 200) seen.admittedWithin++;
    if (first === last && status === 429) seen.refusedWithin++;
    key.seconds.set(second, seen);
  }
}

/** PostgreSQL counts by its own second, which lies somewhere between a call's beginning and its end. */
function wrongsOf(key: LimitedKey, index: number): string[] {
  const name = `key ${index + 1}`;
  const wrongs = key.failed > 0 ? [`${name}: ${key.failed} calls failed`] : [];
  if (key.limit === "day") {
    const expected = Math.min(key.perDay, key.sent);
    return key.admitted === expected ? wrongs : [...wrongs, `${name}: ${key.admitted} of ${expected}`];
  }
  for (const [second, { admittedWithin, admittedTouching, refusedWithin }] of key.seconds) {
    if (admittedWithin > perSecond) wrongs.push(`${name}: ${admittedWithin} in second ${second}`);
    if (refusedWithin > 0 && admittedTouching < perSecond) {
      wrongs.push(`${name}: refused in second ${second} after ${admittedTouching}`);
    }
  }
  return wrongs;
}
