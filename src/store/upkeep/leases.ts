import { databaseClock } from "../clock.ts";
import type { Database } from "../database.ts";
import { sql } from "../sql.ts";

/** A lease is a right that one node has until a moment of the database's clock. An embedded store has one server. */
export interface TakenLease {
  /** Who had it until now, this node perhaps; null: nobody. */
  readonly before: string | null;
}

/** Takes the lease or renews it, for so long from now on. Null: another node has it. */
export async function takeLease(
  database: Database,
  { name, holder, validMs }: { readonly name: string; readonly holder: string; readonly validMs: number },
): Promise<TakenLease | null> {
  // One that ends later than any that is taken now is from before the database's clock was set back.
  const rows = await database.change<TakenLease>(sql`
    with earlier as (select l.holder from leases l where l.name = ${name})
    insert into leases (name, holder, until) values (${name}, ${holder}, ${databaseClock} + ${validMs}::bigint)
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where leases.holder = excluded.holder or leases.until <= ${databaseClock}
        or leases.until > ${databaseClock} + ${validMs}::bigint
    returning (select e.holder from earlier e) as before`);
  return rows[0] ?? null;
}

/** Another node can take it at once. */
export async function giveBackLease(database: Database, name: string, holder: string): Promise<void> {
  await database.change(sql`delete from leases where name = ${name} and holder = ${holder} returning name`);
}
