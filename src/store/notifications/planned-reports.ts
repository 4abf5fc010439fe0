import type { Cadence, ReportFilters } from "../../domain/notifications/planned-report.ts";
import { bigint, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, listOf, nothing, sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

const planTable = table("planned_reports", ["account_id", "id"], {
  account_id: bigint,
  id: uuid,
  name: text,
  report: text,
  filters_json: text,
  cadence: oneOf<Cadence>(),
  /** Of the account's clock. */
  hour: integer,
  next_at: bigint,
  /** Since when it is paused; null: it is not. */
  paused_at: orNull(bigint),
  created_by: uuid,
  created_at: bigint,
  updated_at: bigint,
});

const receiverTable = table("planned_report_people", ["account_id", "report_id", "user_id"], {
  account_id: bigint,
  report_id: uuid,
  user_id: uuid,
  /** When they unsubscribed; null: they get it. */
  stopped_at: orNull(bigint),
});

export type PlannedReportRow = RowOf<typeof planTable.columns>;
export type ReceiverRow = RowOf<typeof receiverTable.columns>;

const columns = listed(planTable.columns);
const bulk = upsert(planTable, ["created_by", "created_at"]);

/** In the order in which they were made. */
export function plansOfAccount(reader: Reader, accountId: number): Promise<PlannedReportRow[]> {
  return reader.all(sql`
    select ${columns} from planned_reports where account_id = ${accountId} order by created_at, id`);
}

export function planById(reader: Reader, accountId: number, id: string): Promise<PlannedReportRow | null> {
  return reader.get(sql`select ${columns} from planned_reports where account_id = ${accountId} and id = ${id}`);
}

/** Of all accounts, those that are due first. */
export function duePlans(reader: Reader, now: number, count: number): Promise<PlannedReportRow[]> {
  return reader.all(sql`
    select ${columns} from planned_reports where paused_at is null and next_at <= ${now}
    order by next_at ${limitTo(count)}`);
}

/** Returns whether it was still due: another node may have been faster. */
export async function moveOn(tx: Transaction, plan: PlannedReportRow, nextAt: number): Promise<boolean> {
  const moved = await tx.writeAny(sql`
    update planned_reports set next_at = ${nextAt}
    where account_id = ${plan.account_id} and id = ${plan.id} and next_at = ${plan.next_at} and paused_at is null`);
  return moved > 0;
}

export function receiversOf(reader: Reader, accountId: number, reportId: string | null): Promise<ReceiverRow[]> {
  const ofReport = reportId === null ? nothing : sql`and report_id = ${reportId}`;
  return reader.all(sql`
    select account_id, report_id, user_id, stopped_at from planned_report_people
    where account_id = ${accountId} ${ofReport} order by report_id, user_id`);
}

/** Who has unsubscribed from it stays so. `stopped`: those who get it only when they ask for it, since they have unsubscribed from others. */
export async function savePlan(
  tx: Transaction,
  plan: PlannedReportRow,
  userIds: readonly string[],
  stopped: ReadonlySet<string>,
): Promise<void> {
  const { account_id, id } = plan;
  await tx.insertMany(bulk, [plan]);
  await tx.run(sql`
    delete from planned_report_people
    where account_id = ${account_id} and report_id = ${id} and user_id not in ${listOf(userIds)}`);
  const rows = userIds.map((user_id) => ({
    account_id,
    report_id: id,
    user_id,
    stopped_at: stopped.has(user_id) ? plan.updated_at : null,
  }));
  await tx.insertMany({ ...receiverTable, onConflict: "on conflict do nothing" }, rows);
}

/** Returns whether that changed anything. */
export async function stopReceiving(
  tx: Transaction,
  { account_id, report_id, user_id }: Omit<ReceiverRow, "stopped_at">,
  stoppedAt: number | null,
): Promise<boolean> {
  const isOther = stoppedAt === null ? sql`stopped_at is not null` : sql`stopped_at is null`;
  const changed = await tx.writeAny(sql`
    update planned_report_people set stopped_at = ${stoppedAt}
    where account_id = ${account_id} and report_id = ${report_id} and user_id = ${user_id} and ${isOther}`);
  return changed > 0;
}

/** With what waits and what was sent. */
export async function removePlan(tx: Transaction, accountId: number, id: string): Promise<void> {
  for (const name of [sql`report_mails`, sql`planned_report_people`]) {
    await tx.run(sql`delete from ${name} where account_id = ${accountId} and report_id = ${id}`);
  }
  await tx.run(sql`delete from planned_reports where account_id = ${accountId} and id = ${id}`);
}

export function filtersOf({ filters_json }: Pick<PlannedReportRow, "filters_json">): ReportFilters {
  return JSON.parse(filters_json) as ReportFilters;
}

/** A vehicle that is erased is named nowhere. A report of no other vehicle goes: without a filter it would be of all. */
export async function leaveDeviceOutOfPlans(tx: Transaction, accountId: number, deviceId: string): Promise<void> {
  for (const plan of await plansOfAccount(tx, accountId)) {
    const filters = filtersOf(plan);
    if (!filters.vehicles.includes(deviceId)) continue;
    const vehicles = filters.vehicles.filter((id) => id !== deviceId);
    if (vehicles.length === 0) await removePlan(tx, accountId, plan.id);
    else await tx.insertMany(bulk, [{ ...plan, filters_json: JSON.stringify({ ...filters, vehicles }) }]);
  }
}

/** Nor is a driver: plans name them as trips do. */
export async function removePlansOfDriver(tx: Transaction, accountId: number, name: string): Promise<void> {
  for (const plan of await plansOfAccount(tx, accountId)) {
    if (filtersOf(plan).driver === name) await removePlan(tx, accountId, plan.id);
  }
}

/** Nobody gets a report whose last receiver is erased. */
export async function leaveUserOut(tx: Transaction, accountId: number, userId: string): Promise<void> {
  const isOwn = sql`account_id = ${accountId} and user_id = ${userId}`;
  await tx.run(sql`delete from report_mails where ${isOwn}`);
  await tx.run(sql`delete from planned_report_people where ${isOwn}`);
  const left = new Set((await receiversOf(tx, accountId, null)).map(({ report_id }) => report_id));
  for (const { id } of await plansOfAccount(tx, accountId)) if (!left.has(id)) await removePlan(tx, accountId, id);
}
