import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { startPostgres } from "../../test/support/postgres-server.mjs";
import { everyFrame } from "../../test/support/stored-frames.ts";
import { createKey, type DrillFleet, loadFleet } from "./support/fleet.ts";
import { killAll, type Node, odograph, startNodes } from "./support/nodes.ts";
import { conclude, explainOrNeed, print } from "./support/report.ts";

const help = `
Two nodes, one of which has a clock that is an hour ahead, then behind. Frames, quotas and expiries are tried on both. Held if
they are the same as with right clocks, and if the wrong node warns.

    node_modules/.bin/bun bench/drills/clock.ts [--hours 1] [--seconds 10]

  --hours N     how far the clock is off, in both directions
  --seconds N   how long frames of the same vehicles are sent to both nodes in turn
`;
explainOrNeed(help);
const { values: options } = parseArgs({
  options: { hours: { type: "string", default: "1" }, seconds: { type: "string", default: "10" } },
});
const preload = fileURLToPath(new URL("./support/shifted-clock.ts", import.meta.url));
const shiftMs = Number(options.hours) * 3_600_000;
/** Far less than the shift; far more than a request takes. */
const sameMs = 60_000;
const perDay = 100;
/** The leader looks for silent vehicles every 30 seconds. */
const offlineCheckMs = 45_000;
const wrongs: string[] = [];

function hold(what: string, value: string | number, isRight: boolean): void {
  print(`  ${what}`, isRight ? value : `${value}  <- wrong`);
  if (!isRight) wrongs.push(what);
}

for (const [words, sign] of [
  ["ahead", 1],
  ["behind", -1],
] as const) {
  const postgres = await startPostgres();
  try {
    console.log(`one node's clock is ${options.hours} h ${words}`);
    await drill(postgres.url, sign * shiftMs);
  } finally {
    await postgres.stop();
  }
}
conclude(wrongs.length === 0, wrongs.join(", "));

async function drill(databaseUrl: string, shift: number): Promise<void> {
  const fleet = await loadFleet(databaseUrl, 4);
  await odograph(["load", "-"], databaseUrl, offlineRule(fleet.accountId));
  const env = { DRILL_CLOCK_SHIFT_MS: String(shift) };
  // The wrong one is the first, so it does the work that one node does for all.
  const [wrong, right] = [
    ...(await startNodes(1, { databaseUrl, preload, env })),
    ...(await startNodes(1, { databaseUrl })),
  ] as [Node, Node];
  const startedAt = performance.now();
  try {
    await sendFrames(fleet, [right, wrong]);
    await judgeFrames(databaseUrl);
    await judgeQuota(databaseUrl, [right, wrong]);
    await judgeExpiry(databaseUrl, wrong);
    await judgeWarning(wrong, shift);
    await Bun.sleep(Math.max(0, startedAt + offlineCheckMs - performance.now()));
    await judgeAlerts(databaseUrl);
    await Promise.all([right.stop(), wrong.stop()]);
    const again = (await odograph(["rederive", "--json"], databaseUrl)).trim();
    hold("deriving everything again", again, (JSON.parse(again) as { changed: boolean }).changed === false);
  } finally {
    await killAll([right, wrong]);
  }
}

/** A vehicle is offline after ten minutes: an hour ahead, all of them would be. */
function offlineRule(accountId: string): string {
  const rules = [{ alert_type: "device_offline", parameters: { after_s: 600 } }];
  return `${JSON.stringify({ type: "alert_settings", account_id: accountId, rules })}\n`;
}

/** Current frames of each vehicle, to both nodes in turn. */
async function sendFrames({ imeis, token }: DrillFleet, nodes: readonly Node[]): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  for (let number = 0; number < Number(options.seconds); number++) {
    for (const [index, imei] of imeis.entries()) {
      // 11 metres in a second are 40 km/h.
      const latitude = Math.round((52 + number / 10_000) * 1e6) / 1e6;
      const at = { recorded_at: new Date().toISOString(), latitude, longitude: 13.4 + index, speed_kmh: 40 };
      const node = nodes[(number + index) % nodes.length] as Node;
      const body = JSON.stringify([{ imei, ...at, ignition: true }]);
      const response = await fetch(`${node.ingestUrl}/frames`, { method: "POST", headers, body });
      if (!response.ok) wrongs.push(`frames were answered with ${response.status}`);
    }
    await Bun.sleep(1_000);
  }
}

async function judgeFrames(databaseUrl: string): Promise<void> {
  const database = await openDatabase({ engine: "postgres", url: databaseUrl }, { create: false });
  const frames = await everyFrame(database);
  await database.close();
  const reasons = frames.flatMap(({ verdict }) => verdict.rejectReason ?? []);
  const believed = `${frames.length - reasons.length} of ${frames.length} ${[...new Set(reasons)].join(", ")}`;
  hold("frames whose position is believed", believed.trim(), reasons.length === 0);
  const worstMs = Math.max(...frames.map(({ frame }) => Math.abs(frame.receivedAt - frame.recordedAt)));
  hold("most between recorded and received", `${worstMs} ms`, worstMs < sameMs);
}

async function judgeQuota(databaseUrl: string, nodes: readonly Node[]): Promise<void> {
  const key = await createKey(databaseUrl, "quota", { perDay });
  const statuses: number[] = [];
  for (let call = 0; call < 2 * perDay; call++) {
    statuses.push(await statusOf(nodes[call % nodes.length] as Node, key));
  }
  const admitted = statuses.filter((status) => status === 200).length;
  hold(`admitted of ${2 * perDay} calls with ${perDay} a day`, admitted, admitted === perDay);
}

/** One key expires in half of the shift, the other has just expired. */
async function judgeExpiry(databaseUrl: string, wrong: Node): Promise<void> {
  const inTime = (ms: number) => new Date(Date.now() + ms).toISOString();
  const later = await createKey(databaseUrl, "later", { expires: inTime(shiftMs / 2) });
  const soonMs = 3_000;
  const expiresAt = performance.now() + soonMs;
  const soon = await createKey(databaseUrl, "soon", { expires: inTime(soonMs) });
  const working = await statusOf(wrong, later);
  hold("a key that expires later, on the wrong node", working, working === 200);
  await Bun.sleep(Math.max(0, expiresAt + 5_000 - performance.now()));
  const expired = await statusOf(wrong, soon);
  hold("a key that has expired, on the wrong node", expired, expired === 401);
}

async function judgeWarning(wrong: Node, shift: number): Promise<void> {
  const lines = wrong.log.split("\n").filter((line) => line.includes('"clock_differs"'));
  const { aheadSeconds = 0 } = JSON.parse(lines[0] ?? "{}") as { aheadSeconds?: number };
  const isRight = lines.length === 1 && Math.abs(aheadSeconds - shift / 1000) < sameMs / 1000;
  hold("the log of the wrong node", lines[0] ?? "no warning", isRight);
  const metrics = await (await fetch(`${wrong.ingestUrl}/metrics`)).text();
  const gauge = Number(/^odograph_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1]);
  hold("odograph_clock_ahead_seconds", gauge, Math.abs(gauge - shift / 1000) < sameMs / 1000);
}

async function statusOf(node: Node, key: string): Promise<number> {
  return (await fetch(`${node.url}/v1/devices?limit=1`, { headers: { Authorization: `Bearer ${key}` } })).status;
}

/** In the store: the API would not show one that seems to have begun in the future. */
async function judgeAlerts(databaseUrl: string): Promise<void> {
  const database = await openDatabase({ engine: "postgres", url: databaseUrl }, { create: false });
  const rows = await database.all(sql`select 1 from alerts where alert_type = 'device_offline'`);
  await database.close();
  hold("alerts that vehicles are offline", rows.length, rows.length === 0);
}
