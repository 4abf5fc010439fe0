import { z } from "zod";
import { maxWindowDays } from "../../api/lists/paging.ts";
import { byTime, inParts } from "../../api/lists/parts.ts";
import { type Severity, severities } from "../../domain/alert-types.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { type AlertPage, countAlerts, endOfAlerts, walksAccount } from "../../store/facts/alerts.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import { readQuery } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { instant, oneId, wholeNumber } from "../request-fields.ts";
import { portalRoute } from "../route.ts";

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
  from: instant,
  to: instant,
  /** What is beyond it is not counted. */
  max: wholeNumber(5, 1, maxCount).default(maxCount),
});

/**
 * How many alerts the list has, by severity. The API's list has no counts: to count them there takes a call for every 500
 * alerts. The filters, the window and the queries are those of the list.
 */
export const countPortalAlerts = portalRoute("GET", "/alerts/counts", "signed in", async (call) => {
  const { query: text, now } = call;
  const { database } = call.parts;
  const { visibility } = call.session;
  const { acknowledged, alert_type, device_id, max, ...wanted } = readQuery(text, query);
  const toMs = wanted.to ?? now;
  const fromMs = Math.max(wanted.from ?? 0, toMs - maxWindowDays * dayMs);
  const device = device_id === undefined ? null : await deviceIdentity(database, visibility, { id: device_id });
  if (device_id !== undefined && device === null) throw noSuch("vehicle");
  const page = {
    acknowledged: acknowledged === undefined ? null : acknowledged === "true",
    alertType: alert_type ?? null,
    device: device?.device ?? null,
    fromMs,
    toMs,
    after: null,
    count: max,
  };
  const data: Partial<Record<Severity, number>> = {};
  for (const severity of wanted.severity) {
    data[severity] = await counted(database, visibility, { ...page, severity });
  }
  return { status: 200, body: { data, max } };
});

/** Part by part, as the list searches: with SQLite, everybody else waits for a statement. */
async function counted(reader: Reader, visibility: Visibility, page: AlertPage): Promise<number> {
  const whole = { ...page, walksAccount: await walksAccount(reader, visibility, page) };
  const endOfPart = (rest: AlertPage) => endOfAlerts(reader, visibility, rest);
  const read = (part: AlertPage) => countAlerts(reader, visibility, part);
  let found = 0;
  for await (const { rows } of inParts(byTime(whole, endOfPart, read))) {
    found += rows;
    if (found >= page.count) return page.count;
  }
  return found;
}
