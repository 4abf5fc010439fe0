import type { Fact } from "../../domain/facts.ts";
import type { Columns } from "../columns.ts";
import type { Reader, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import type { DayOwner } from "../fact-table.ts";
import { accountNumbers } from "../fleet/accounts.ts";
import { nothing, plainSql, type Sql, sql, type Value } from "../sql.ts";
import { bulkUpdate, listed, omit, type Table, upsert } from "../table.ts";
import { alertTable } from "./alerts.ts";
import { geofenceEventTable } from "./geofence-events.ts";
import { mileageTable } from "./mileage.ts";
import { stopTable } from "./stops.ts";
import { tripTable } from "./trips.ts";

/** Writes what was derived. Rows come from `factRow`. */

export type FactKind = Fact["kind"];

export interface FactRow {
  readonly kind: FactKind;
  readonly row: Row;
  /** Of an alert that was just derived; no column holds it. */
  readonly qualifier?: string | undefined;
}

const statements = {
  trip: statementsFor(tripTable),
  stop: statementsFor(stopTable),
  crossing: statementsFor(geofenceEventTable),
  alert: statementsFor(alertTable),
  day: statementsFor(mileageTable),
} as const satisfies Record<FactKind, unknown>;

const kinds = Object.keys(statements) as readonly FactKind[];

function statementsFor<Declared extends Columns>(table: Table<Declared>) {
  const name = plainSql(table.name);
  const key = table.key.map((column) => ({ column, name: plainSql(column) }));
  const isRow = (row: Row) =>
    key.map(({ column, name }) => sql`${name} = ${row[column] ?? null}`).reduce((all, one) => sql`${all} and ${one}`);
  return {
    name,
    insert: upsert(table),
    select: sql`select ${listed(table.columns)} from ${name}`,
    remove: (row: Row): Sql => sql`delete from ${name} where ${isRow(row)}`,
    isRow,
  };
}

/** What changes from frame to frame while a fact is open. No index holds any of it. */
const progress = {
  trip: bulkUpdate(
    tripTable,
    omit(tripTable.own, "started_at", "id", "ended_at", "received_at", "driver_id", "drivers_json"),
  ),
  stop: bulkUpdate(stopTable, omit(stopTable.own, "started_at", "id", "ended_at", "trip_after_id")),
  day: bulkUpdate(mileageTable, omit(mileageTable.own, "day", "time_zone")),
};

export async function saveFacts(tx: Transaction, facts: readonly FactRow[]): Promise<void> {
  const rows = rowsByKind(facts);
  for (const kind of kinds) if (rows[kind].length > 0) await tx.insertMany(statements[kind].insert, rows[kind]);
}

export async function saveProgress(tx: Transaction, facts: readonly FactRow[]): Promise<void> {
  const rows = rowsByKind(facts);
  for (const kind of ["trip", "stop", "day"] as const) {
    if (rows[kind].length > 0) await tx.updateMany(progress[kind], rows[kind]);
  }
}

function rowsByKind(facts: readonly FactRow[]): Record<FactKind, Row[]> {
  const rows: Record<FactKind, Row[]> = { trip: [], stop: [], crossing: [], alert: [], day: [] };
  for (const { kind, row } of facts) rows[kind].push(row);
  return rows;
}

/** Removes what no longer follows from the frames. An alert that someone acknowledged or was mailed of stays, marked as withdrawn. */
export async function removeFacts(tx: Transaction, facts: readonly FactRow[]): Promise<void> {
  for (const { kind, row } of facts) {
    if (kind === "alert") await removeAlert(tx, row);
    else await tx.writeAny(statements[kind].remove(row));
  }
}

async function removeAlert(tx: Transaction, row: Row): Promise<void> {
  const isThis = statements.alert.isRow(row);
  const acknowledgement = sql`select 1 from alert_acknowledgements k
    where k.account_id = ${row.account_id ?? null} and k.alert_id = alerts.id`;
  const mail = sql`select 1 from notification_items n
    where n.account_id = ${row.account_id ?? null} and n.alert_id = alerts.id and n.mail_id is not null`;
  await tx.run(sql`delete from alerts where ${isThis} and not exists (${acknowledgement}) and not exists (${mail})`);
  await tx.writeAny(sql`update alerts set withdrawn = ${true} where ${isThis}`);
}

/** The facts of a device completed from one time on and before another, without the alerts that the clock raised. */
export async function factsCompleted(
  reader: Reader,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number | null },
): Promise<FactRow[]> {
  const facts: FactRow[] = [];
  const within = sql`account_id = ${accountId} and device = ${device} and final_at >= ${Math.max(from, earliestFinal)}
    ${until === null ? nothing : sql`and final_at < ${until}`}`;
  for (const kind of kinds) {
    const rows = await reader.all<Row>(sql`${statements[kind].select} where ${within}`);
    for (const row of rows) facts.push({ kind, row });
  }
  return facts;
}

/** Of these facts, those that are stored, whatever is stored of them. */
export async function storedAmong(reader: Reader, facts: readonly FactRow[]): Promise<FactRow[]> {
  const stored: FactRow[] = [];
  for (const fact of facts) {
    const { name, isRow } = statements[fact.kind];
    if ((await reader.get(sql`select 1 as there from ${name} where ${isRow(fact.row)}`)) !== null) stored.push(fact);
  }
  return stored;
}

/** Whether a stored row equals the new one. SQLite has no booleans. */
export function isSameRow(stored: Row, fresh: Row): boolean {
  for (const column in fresh) {
    const one = stored[column] ?? null;
    const other = fresh[column] ?? null;
    if (one === other) continue;
    if (typeof other !== "boolean" || Boolean(one) !== other) return false;
  }
  return true;
}

/** Ids are made of the kind, too: no two facts of a device have the same. */
export function rowKey({ kind, row }: FactRow): Value | undefined {
  return kind === "day" ? row.day : row.id;
}

export type { DayOwner } from "../fact-table.ts";

/** A fact and the time of the frame that completed it; null while it is open. */
export interface DatedFact {
  readonly fact: Fact;
  readonly finalAt: number | null;
}

/** Later than any frame. */
const notFinal = Number.MAX_SAFE_INTEGER;
/** No frame of a believable time is this early: facts with 0 are not derived from frames. */
const earliestFinal = 1;

export function factRow(owner: DayOwner, { fact, finalAt }: DatedFact): Row {
  const final = finalAt ?? notFinal;
  switch (fact.kind) {
    case "trip":
      return tripTable.rowOf(owner, fact, final);
    case "stop":
      return stopTable.rowOf(owner, fact, final);
    case "crossing":
      return geofenceEventTable.rowOf(owner, fact, final);
    case "alert":
      return alertTable.rowOf(owner, fact, final);
    case "day":
      return mileageTable.rowOf(owner, fact, final);
  }
}

/** The trip or crossing of any account with this id. No index holds ids, so it looks at all trips and crossings. */
export async function tripOrCrossing(reader: Reader, id: string): Promise<FactRow | null> {
  for (const { account_id: accountId } of await accountNumbers(reader)) {
    for (const kind of ["trip", "crossing"] as const) {
      const { select } = statements[kind];
      const row = await reader.get<Row>(sql`${select} where account_id = ${accountId} and id = ${id}`);
      if (row !== null) return { kind, row };
    }
  }
  return null;
}

export async function mileageDayFact(
  reader: Reader,
  { accountId, device }: DeviceKey,
  day: number,
): Promise<FactRow | null> {
  const row = await reader.get<Row>(sql`
    ${statements.day.select} where account_id = ${accountId} and device = ${device} and day = ${day}`);
  return row && { kind: "day", row };
}
