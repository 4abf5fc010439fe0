import { z } from "zod";
import { maxWindowDays } from "../../api/lists/paging.ts";
import { partsInSight } from "../../api/lists/parts.ts";
import { countedAlerts } from "../../api/lists/searched-alerts.ts";
import { nextTurn } from "../../api/turns.ts";
import { type Severity, severities } from "../../domain/alert-types.ts";
import { dayMs, dayOf, formatInstant, parseInstant } from "../../domain/time/time.ts";
import { storedZone } from "../../domain/time/time-zone.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { alertsSeenAt, noteAlertsSeen } from "../../store/access/seen-alerts.ts";
import type { Reader } from "../../store/database.ts";
import {
  acknowledgeAlerts,
  acknowledgementsOf,
  type StoredAcknowledgement,
} from "../../store/facts/alert-acknowledgements.ts";
import { type AlertPage, type AlertRow, alerts } from "../../store/facts/alerts.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import type { TimeKey } from "../../store/pages.ts";
import { readCheckedBody, readId, readQuery } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { oneId, optionalMoment, uuidList, wholeNumberField } from "../request-fields.ts";
import { portalRoute, type SignedInCall } from "../route.ts";

/** The first acknowledgement counts; a later one changes nothing. */
export const acknowledge = portalRoute("POST /alerts/{alert_id}/acknowledge", "signed in", async (call) => {
  const { parts, session, now } = call;
  const id = readId(call, "alert");
  const [done] = await parts.database.transaction((tx) => acknowledgeAlerts(tx, session.visibility, [id], now));
  if (done === undefined) throw noSuch("alert");
  return answerWith(done.acknowledgement);
});

/** As many as the page shows at a time, several times over; they are one transaction, which others wait for. */
const maxAtOnce = 500;
const idsExpected = `expected a list of 1 to ${maxAtOnce} ids of alerts`;
const chosen = z.object({
  alert_ids: z.array(oneId(idsExpected), { error: idsExpected }).min(1, idsExpected).max(maxAtOnce, idsExpected),
});

/** As many as the page offers to choose. */
const maxVehicles = 1_000;
const vehiclesExpected = `expected the ids of at most ${maxVehicles} vehicles, or null for all`;
const dayExpected = "expected a day such as 2026-11-15";
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Many at once. Those that the user does not see are left out of the answer, whether they exist or not. */
export const acknowledgeMany = portalRoute("POST /alerts/acknowledge", "signed in", async (call) => {
  const { parts, session, now } = call;
  const { alert_ids } = readCheckedBody(call, chosen);
  const done = await parts.database.transaction((tx) => acknowledgeAlerts(tx, session.visibility, alert_ids, now));
  const data = done.map(({ acknowledgement }) => acknowledgementRecord(acknowledgement));
  return { body: { data, acknowledged_now: done.filter(({ isNew }) => isNew).length } };
});

const ofDay = z.object({
  alert_type: z.string({ error: "expected a type of alert" }).min(1).max(200, "expected at most 200 characters"),
  severity: z.enum(severities, { error: `expected one of ${severities.join(", ")}` }),
  day: z
    .string({ error: dayExpected })
    .refine((text) => dayPattern.test(text) && parseInstant(text) !== null, { error: dayExpected }),
  device_ids: z.union([z.null(), uuidList(maxVehicles, vehiclesExpected)], { error: vehiclesExpected }).default(null),
});

/** A nuisance: all open alerts of a type, a severity and a day of the account, however many. */
export const acknowledgeDay = portalRoute("POST /alerts/acknowledge-day", "signed in", async (call) => {
  const { parts, session, now } = call;
  const { database } = parts;
  const { visibility } = session;
  const { alert_type, severity, day, device_ids } = readCheckedBody(call, ofDay);
  const zone = storedZone(session.account.timeZone);
  const dayNumber = dayOf(parseInstant(day) ?? 0);
  const filters = { acknowledged: false, severity, alertType: alert_type, device: null } as const;
  const window = { fromMs: zone.startOf(dayNumber), toMs: zone.startOf(dayNumber + 1), count: maxAtOnce };
  const wanted = device_ids === null ? null : new Set(device_ids);
  let count = 0;
  for (let after: TimeKey | null = null; ; await nextTurn()) {
    const rows: AlertRow[] = await alerts(database, visibility, { ...filters, ...window, after });
    const ids = rows.filter((row) => wanted?.has(row.device_id) !== false).map(({ id }) => id);
    const done = await database.transaction((tx) => acknowledgeAlerts(tx, visibility, ids, now));
    count += done.filter(({ isNew }) => isNew).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < maxAtOnce) return { body: { acknowledged_now: count } };
    after = { at: last.occurred_at, id: last.id };
  }
});

/**
 * Who acknowledged it, by name. The API shows the id alone, and a sub-account cannot look up other users; but a user who
 * sees an alert may know who has seen to it.
 */
export const showAcknowledgement = portalRoute("GET /alerts/{alert_id}/acknowledgement", "signed in", async (call) => {
  const { parts, session } = call;
  const id = readId(call, "acknowledged alert");
  const [found] = await acknowledgementsOf(parts.database, session.visibility, [id]);
  if (found === undefined) throw noSuch("acknowledged alert");
  return answerWith(found);
});

function answerWith(found: StoredAcknowledgement) {
  return { body: { data: acknowledgementRecord(found) } };
}

function acknowledgementRecord({
  alert_id,
  acknowledged_at,
  acknowledged_by_id,
  acknowledged_by_name,
}: StoredAcknowledgement) {
  return {
    alert_id,
    acknowledged_at: formatInstant(acknowledged_at),
    acknowledged_by: acknowledged_by_id,
    acknowledged_by_name,
  };
}

/** Nobody works through more; the page then says "10,000+". */
const maxCount = 10_000;
const severityExpected = `expected some of ${severities.join(", ")}, separated by commas`;

const query = z.object({
  acknowledged: z.enum(["true", "false"], { error: "expected true or false" }).optional(),
  severity: z
    .string()
    .transform((text) => text.split(","))
    .refine((names): names is Severity[] => names.every((name) => (severities as readonly string[]).includes(name)), {
      error: severityExpected,
    })
    // Each is counted once, however often it is named.
    .transform((names) => new Set(names))
    .default(new Set(severities)),
  alert_type: z.string().max(200, "expected at most 200 characters").optional(),
  device_id: oneId("expected the id of a vehicle").optional(),
  from: optionalMoment,
  to: optionalMoment,
  /** Only what became known since the person last looked. */
  new: z.enum(["true", "false"], { error: "expected true or false" }).default("false"),
  /** What is beyond it is not counted. */
  max: wholeNumberField(5, 1, maxCount).default(maxCount),
});

/**
 * How many alerts the list has, by severity. The API's list has no counts: to count them there takes a call for every 500
 * alerts. The filters, the window and the queries are those of the list.
 */
export const countPortalAlerts = portalRoute("GET /alerts/counts", "signed in", async (call) => {
  const { query: text, now } = call;
  const { database } = call.parts;
  const { visibility } = call.session;
  const { acknowledged, alert_type, device_id, max, new: isNew, ...wanted } = readQuery(text, query);
  const toMs = wanted.to ?? now;
  const receivedAfter = isNew === "true" ? await seenUntil(call) : null;
  // What a tracker sent more than a day late is no news.
  const newsFrom = receivedAfter === null ? 0 : receivedAfter - dayMs;
  const fromMs = Math.max(wanted.from ?? 0, toMs - maxWindowDays * dayMs, newsFrom);
  const device = device_id === undefined ? null : await deviceIdentity(database, visibility, { id: device_id });
  if (device_id !== undefined && device === null) throw noSuch("vehicle");
  const page = {
    acknowledged: acknowledged === undefined ? null : acknowledged === "true",
    alertType: alert_type ?? null,
    device: device?.device ?? null,
    receivedAfter,
    fromMs,
    toMs,
    after: null,
    count: max,
  };
  const data: Partial<Record<Severity, number>> = {};
  for (const severity of wanted.severity) {
    data[severity] = await counted(database, visibility, { ...page, severity });
  }
  return { body: { data, max } };
});

/** To a person who never looked, what is older than a day is not new. */
async function seenUntil({ parts, session, now }: SignedInCall): Promise<number> {
  return (await alertsSeenAt(parts.database, session.user.id)) ?? now - dayMs;
}

export const seeAlerts = portalRoute("POST /alerts/seen", "signed in", async ({ parts, session, now }) => {
  await parts.database.transaction((tx) => noteAlertsSeen(tx, session.user.id, now));
  return { status: 204 };
});

/** Part by part, as the list searches: with SQLite, everybody else waits for a statement. */
async function counted(reader: Reader, visibility: Visibility, page: AlertPage): Promise<number> {
  let found = 0;
  for await (const rows of partsInSight(reader, visibility, page, countedAlerts)) {
    found += rows;
    if (found >= page.count) return page.count;
  }
  return found;
}
