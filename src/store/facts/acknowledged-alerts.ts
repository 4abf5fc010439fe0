import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { andRowIsVisible, isNotRemoved, ofEachDevice } from "../visible.ts";
import { type AlertPage, type AlertRow, conditions, isOfNoAlert, listedAlerts } from "./alerts.ts";

/** More take longer to look up than most searches of the account's alerts. */
const maxLookedUp = 10_000;
/** Some milliseconds: with SQLite, everybody else waits for a part. */
const perPart = 500;

/** How many acknowledgements the account has; null: too many to look up the alert of each. */
export async function fewAcknowledgements(reader: Reader, { accountId }: Visibility): Promise<number | null> {
  const row = await reader.get<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from alert_acknowledgements where account_id = ${accountId} ${limitTo(maxLookedUp + 1)}) found`);
  const count = row?.count ?? 0;
  return count > maxLookedUp ? null : count;
}

/**
 * The page's acknowledged alerts among some of the account's acknowledgements: those after the one of an alert id. `next` is
 * the last id of this part, null if there are no more. The first rows of the page are the first of all parts together.
 */
export async function acknowledgedAlerts(
  reader: Reader,
  visibility: Visibility,
  page: AlertPage,
  afterId: string | null,
): Promise<{ readonly rows: AlertRow[]; readonly next: string | null }> {
  if (isOfNoAlert(page.alertType)) return { rows: [], next: null };
  const { accountId } = visibility;
  const { fromMs, toMs, after, count } = page;
  const { columns, key } = listedAlerts;
  const begins = afterId === null ? nothing : sql`and k.alert_id > ${afterId}`;
  const last = await reader.get<{ id: string }>(sql`
    select k.alert_id as id from alert_acknowledgements k where k.account_id = ${accountId} ${begins}
    order by k.alert_id limit 1 offset ${perPart - 1}`);
  const ends = last === undefined || last === null ? nothing : sql`and k.alert_id <= ${last.id}`;
  const isOfIt = sql`r.account_id = ${accountId} and r.id = k.alert_id`;
  const isLater = after === null ? nothing : sql`and (${key}) > (${after.at}, ${after.id})`;
  const rows = await reader.all<AlertRow>(sql`
    select ${columns}, d.id as device_id, d.imei
    from alert_acknowledgements k ${ofEachDevice(reader.engine, listedAlerts.name, isOfIt, sql`limit 1`)}
      left join devices d on d.account_id = ${accountId} and d.device = r.device
    where k.account_id = ${accountId} ${begins} ${ends} and r.occurred_at >= ${fromMs} and r.occurred_at < ${toMs} ${isLater}
      ${conditions(accountId, { ...page, acknowledged: null })} ${andRowIsVisible(visibility)} and ${isNotRemoved}
    order by ${key} ${limitTo(count)}`);
  return { rows, next: last?.id ?? null };
}
