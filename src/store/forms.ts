import { Failure } from "../domain/errors.ts";
import { rulesVersion } from "../domain/rules.ts";
import type { Reader } from "./database.ts";
import { plainSql } from "./sql.ts";

/**
 * Some columns hold a text whose form no schema shows. The table `store_forms` has the number of each form. A change of a
 * form needs the next number here, and a migration that writes the number and converts what is stored.
 */
export const knownForms: Readonly<Record<string, number>> = {
  /** Frames in blocks and rows, as blocks/ writes them. */
  frames: 4,
  /** `fold_checkpoints.state` and `totals_json`: the snapshot of a fold, compressed (packed-state.ts), and its totals. */
  fold_states: 5,
  /** `latest_positions.fields_json`, as reported.ts makes it. */
  live_positions: 2,
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

/** Refuses a store with a form that this program does not know. A migration converts those of the version before. */
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
