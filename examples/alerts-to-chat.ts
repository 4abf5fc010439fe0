// Posts alerts to a chat: Slack, Mattermost, Google Chat, Teams, or whatever takes {"text": …} by POST. None is posted
// twice, also after a restart, and one that late frames disprove is withdrawn.
//
//   export FLEET_URL=https://fleet.example/v1 FLEET_KEY=odo_… WEBHOOK_URL=https://hooks.example/…
//   bun alerts-to-chat.ts        (or Node from version 22.18 on: node alerts-to-chat.ts)
//
// The key needs the scopes alerts:read and devices:read. SEVERITIES=warning,critical is what is posted by default.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Alert, OdographClient } from "odograph-client";

interface State {
  /** Where to go on following. */
  after: string | null;
  /** When it was first started: what became known before is not posted, also when it changes. */
  since: string;
  /** What was posted, by the alert's id. */
  posted: Record<string, { text: string; occurredAt: string; deviceId?: string }>;
  /** Devices that went out of sight, by id. */
  away?: Record<string, true>;
}

const file = process.env.STATE_FILE ?? "alerts-to-chat.json";
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
const webhook = process.env.WEBHOOK_URL ?? "";
const severities = (process.env.SEVERITIES ?? "warning,critical").split(",");
const odograph = new OdographClient({ url: process.env.FLEET_URL ?? "", key: process.env.FLEET_KEY ?? "" });
/** An older alert is neither posted nor withdrawn, whatever becomes of it: that it was posted is forgotten. */
const rememberedDays = 92;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const empty: State = { after: null, since: new Date().toISOString(), posted: {} };
const state: State = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : empty;

/** Renamed, not overwritten: whenever the power fails, one of the two is complete. */
function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}

/** Tries again until the chat takes it. What it refuses for good is an error. */
async function post(text: string): Promise<void> {
  const message = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) };
  for (let pauseS = 1; ; pauseS = Math.min(2 * pauseS, 60)) {
    const answer = await fetch(webhook, { ...message, signal: AbortSignal.timeout(30_000) }).catch(String);
    if (typeof answer !== "string" && answer.ok) return;
    const problem = typeof answer === "string" ? answer : `the webhook answered ${answer.status}`;
    if (typeof answer !== "string" && answer.status !== 429 && answer.status < 500) throw new Error(problem);
    const waitS = (typeof answer !== "string" && Number(answer.headers.get("Retry-After"))) || pauseS;
    console.error(`${problem}; waiting for ${waitS} s`);
    await wait(waitS * 1000, null, { signal: stop.signal });
  }
}

async function raise(alert: Alert): Promise<void> {
  const isNew = alert.received_at >= state.since && !state.posted[alert.alert_id];
  if (!isNew || alert.occurred_at < daysAgo(rememberedDays) || !severities.includes(alert.severity)) return;
  const { name } = await odograph.getDevice(alert.device_id).catch(() => ({ name: alert.imei }));
  const text = `${alert.severity.toUpperCase()} ${name}: ${alert.message} (${alert.occurred_at})`;
  await post(text);
  state.posted[alert.alert_id] = { text, occurredAt: alert.occurred_at, deviceId: alert.device_id };
  save();
}

async function withdraw(id: string): Promise<void> {
  const posted = state.posted[id];
  if (!posted) return;
  await post(`Withdrawn: ${posted.text}`);
  delete state.posted[id];
  save();
}

/** After so long a stop that removals were forgotten, or of one device that has come back: what the list shows decides. */
async function compareWithList(device_id?: string): Promise<void> {
  const from = daysAgo(31);
  const listed = new Map<string, Alert>();
  let isInSight = device_id === undefined;
  for await (const known of odograph.backfill({ types: ["device", "alert"], from, device_id })) {
    if (known.type === "alert") listed.set(known.id, known.record);
    else isInSight = true;
  }
  if (!isInSight) return;
  for (const [id, { occurredAt, deviceId }] of Object.entries(state.posted))
    if (occurredAt >= from && !listed.has(id) && (!device_id || deviceId === device_id)) await withdraw(id);
  for (const alert of listed.values()) await raise(alert);
}

/** What a device does out of sight is no change for us. Its alerts are not withdrawn: nothing disproves them. */
async function deviceChanged(id: string, isInSight: boolean): Promise<void> {
  state.away ??= {};
  if (!isInSight) state.away[id] = true;
  else if (state.away[id]) {
    await compareWithList(id);
    delete state.away[id];
  }
}

const onWait = (error: unknown, waitS: number) => console.error(`${error}; waiting for ${Math.ceil(waitS)} s`);

const intervalS = Number(process.env.INTERVAL_S ?? 10);
const following = { intervalS, onExpired: "restart", onWait, signal: stop.signal } as const;
try {
  for await (const batch of odograph.follow({ types: ["device", "alert"], after: state.after }, following)) {
    if (batch.isStart && state.after !== null) await compareWithList();
    for (const change of batch.changes) {
      if (change.type === "device") await deviceChanged(change.id, change.change === "put");
      else if (change.change === "put") await raise(change.record);
      else await withdraw(change.id);
    }
    for (const [id, { occurredAt }] of Object.entries(state.posted))
      if (occurredAt < daysAgo(rememberedDays)) delete state.posted[id];
    state.after = batch.resumeAfter;
    save();
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
