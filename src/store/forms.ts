import { Failure } from "../domain/errors.ts";
import { rulesVersion } from "../domain/rules.ts";
import { parseOldPlace } from "./carry-over/old-frame-text.ts";
import type { Reader } from "./database.ts";
import { limitTo, nothing, plainSql, sql } from "./sql.ts";

/**
 * Some columns hold a text whose form no schema shows. The table `store_forms` has the number of each form. A change of a
 * form needs the next number here, and a migration that writes the number and converts what is stored.
 */
export const knownForms: Readonly<Record<string, number>> = {
  /**
   * Frames in blocks and rows, as blocks/ writes them. Form 1 was a row with a text for each frame; since form 3 they may have a
   * driver.
   */
  frames: 3,
  /**
   * `fold_checkpoints.state` and `totals_json`: the snapshot of a fold, since form 2 its totals separately, since form 3 with
   * the version of the rules that made it, since form 4 with the times at which trips, crossings and alerts were known, since
   * form 5 the state is compressed (packed-state.ts).
   */
  fold_states: 5,
  /** `latest_positions.fields_json`, as reported.ts makes it. */
  live_positions: 1,
  /**
   * What the rules keep in a state, and what they make of the same frames. New rules need a migration, too, if only for this
   * number: a program of earlier rules must not go on from states of newer ones.
   */
  rules: rulesVersion,
};

/** For a store that a newer program wrote. */
export const whatToDo =
  "use the odograph that wrote it, or a newer one, or restore a backup that was made before the upgrade";

interface FormRow {
  readonly name: string;
  readonly form: number;
}

/** Refuses a store with a form that this program does not know. Migrations convert earlier forms. */
export async function requireKnownForms(reader: Reader): Promise<void> {
  const rows = await reader.all<FormRow>(plainSql("select name, form from store_forms order by name"));
  for (const { name, form } of rows) {
    if (form <= (knownForms[name] ?? 0)) continue;
    throw new Failure(
      "STORE_TOO_NEW",
      `the database holds ${name.replaceAll("_", " ")} in form ${form}, which this program does not know: ${whatToDo}`,
    );
  }
}

const devicesPerRead = 500;

/**
 * Refuses a store from before the forms were numbered whose frames are not in the first form: while 1.0.0 was being made, the
 * form changed more than once under the same number of the schema. Looks at the first and the last frame of each device.
 */
export async function refuseEarlierForms(reader: Reader): Promise<void> {
  if (!(await hasLastColumns(reader))) throw earlierForm();
  for (let after: FirstAndLast | null = null; ; ) {
    const devices: FirstAndLast[] = await firstAndLastFrames(reader, after);
    for (const { first, last } of devices) {
      if (!isFirstForm(first) || !isFirstForm(last)) throw earlierForm();
    }
    after = devices.at(-1) ?? null;
    if (after === null || devices.length < devicesPerRead) return;
  }
}

interface FirstAndLast {
  readonly account_id: number;
  readonly device: number;
  /** Null if the device has no frames any more. */
  readonly first: string | null;
  readonly last: string | null;
}

function firstAndLastFrames(reader: Reader, after: FirstAndLast | null): Promise<FirstAndLast[]> {
  const start = after === null ? nothing : sql`where (account_id, device) > (${after.account_id}, ${after.device})`;
  const own = sql`select r.packed from frames r where r.account_id = f.account_id and r.device = f.device`;
  return reader.all(sql`
    select f.account_id, f.device,
      (${own} order by r.recorded_at, r.digest limit 1) as first,
      (${own} order by r.recorded_at desc, r.digest desc limit 1) as last
    from (select account_id, device from device_folds ${start}
      order by account_id, device ${limitTo(devicesPerRead)}) f
    order by f.account_id, f.device`);
}

/** A text of another form has something else where this one has its time. */
function isFirstForm(packed: string | null): boolean {
  return packed === null || Number.isFinite(parseOldPlace(packed).recordedAt);
}

/** Whether it has the last column that was added without a new number. */
async function hasLastColumns(reader: Reader): Promise<boolean> {
  const column = await reader.get(
    reader.engine === "sqlite"
      ? sql`select 1 as there from pragma_table_info('device_folds') where name = 'untimely_until'`
      : sql`select 1 as there from pg_attribute
          where attrelid = to_regclass('device_folds') and attname = 'untimely_until' and not attisdropped`,
  );
  return column !== null;
}

function earlierForm(): Failure {
  return new Failure(
    "STORE_TOO_OLD",
    "the database was written before 1.0.0 was released, by a version whose frames have another form, and cannot be carried over: keep it with the program that wrote it, or begin a new store (another --data or DATABASE_URL) and send the frames again",
  );
}
