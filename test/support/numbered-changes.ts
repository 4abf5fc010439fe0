import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";

/** What pages that a replica may answer are made of (src/store/replica/replica.ts). */
const tables = [
  ...["trips", "stops", "alerts", "alert_acknowledgements", "geofence_events", "mileage_days"],
  ...["frame_blocks", "shared_frames", "recent_frames", "untimely_frames", "readings", "reading_blocks"],
  ...["devices", "assignments", "geofences", "geofence_versions"],
];

/**
 * PostgreSQL only: from now on a transaction fails if it changes what lists show without taking a number. By that number a
 * node knows whether a replica has the change. Rows may go without one: frames that became old, and what belonged to a
 * device that was removed, which nobody sees. And frames may leave the row that they share for rows of their own: they stay
 * what they are.
 */
export async function requireNumbers(database: Database): Promise<void> {
  // Citus has no triggers that read other tables.
  if (database.isDistributed) return;
  await database.transaction(async (tx) => {
    await tx.run(
      plainSql(`
      create function require_number() returns trigger language plpgsql as $$
      begin
        if tg_table_name = 'recent_frames'
          and current_setting('odograph_test.set_apart', true) = pg_current_xact_id()::text then
          return null;
        end if;
        if not exists (
          select 1 from viewer_revisions v where v.account_id = new.account_id and v.user_id = '${accountViewer}'
            and v.xmin::text = mod(pg_current_xact_id()::text::numeric, 4294967296)::text
        ) then
          raise exception 'a % of % has no number', lower(tg_op), tg_table_name;
        end if;
        return null;
      end $$`),
    );
    await tx.run(
      plainSql(`
      create function note_set_apart() returns trigger language plpgsql as $$
      begin
        perform set_config('odograph_test.set_apart', pg_current_xact_id()::text, true);
        return null;
      end $$`),
    );
    await tx.run(
      plainSql(`
      create trigger note_set_apart after delete on shared_frames for each statement execute function note_set_apart()`),
    );
    for (const table of tables) {
      await tx.run(
        plainSql(`
        create constraint trigger require_number after insert or update on ${table}
        deferrable initially deferred for each row execute function require_number()`),
      );
    }
  });
}
