import type { ReactNode } from "react";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { Button } from "../common/elements/button.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { SeenConflict } from "./use-edit.ts";

/** How a form names and shows the fields of a record. */
export interface ConflictFields {
  /** The record as the person opened it, by the same names of fields. */
  readonly opened: Readonly<Record<string, unknown>>;
  /** What a field is called in the form; one without a name is left out. */
  readonly fieldName: (field: string) => string | undefined;
  /** A value in words, of fields that do not hold what a person typed; undefined: only the field is named. */
  readonly fieldValue?: (field: string, value: unknown) => string | undefined;
}

interface ConflictNoticeProps extends ConflictFields {
  readonly conflict: SeenConflict;
  readonly onKeepMine: (revision: number) => void;
  readonly onTakeTheirs: () => void;
}

/** Another person was faster: what they changed, and the choice whose version stays. */
export function ConflictNotice({ conflict, onKeepMine, onTakeTheirs, ...fields }: ConflictNoticeProps) {
  const { fleet: words } = useAdministrationTexts();
  const sentence = conflictSentence(conflict, fields, words);
  return (
    <Notice kind="warning">
      <p>
        <strong>{words.conflict}.</strong> {sentence} {sentence !== "" && words.nothingLost}
      </p>
      <p className="button-row">
        <Button look="small" text={words.takeTheirs} onClick={onTakeTheirs} />
        <Button look="small" text={words.keepMine} onClick={() => onKeepMine(conflict.revision)} />
      </p>
    </Notice>
  );
}

interface ChangedNoticeProps extends ConflictFields {
  readonly conflict: SeenConflict;
  readonly children?: ReactNode;
}

/** Before something is done to the record as a whole. A person who knows what changed may go on. */
export function ChangedNotice({ conflict, children, ...fields }: ChangedNoticeProps) {
  const { fleet: words } = useAdministrationTexts();
  return (
    <Notice kind="warning">
      <p role="alert">
        <strong>{words.conflict}.</strong> {conflictSentence(conflict, fields, words)}
      </p>
      {children}
    </Notice>
  );
}

/** Fields that hold what a person typed, in the lines of all types. */
const typed: ReadonlySet<string> = new Set([
  ...["name", "description", "email", "time_zone", "imei", "plate", "vin"],
  ...["vehicle_make", "vehicle_model", "vehicle_year", "vehicle_type", "tracker_model", "tracker_clock"],
  ...["tracker_id", "tracker_protocol"],
]);

/** What another person changed, each with what is there now: "Changed since you opened it: Name (now Van 2)." Pure. */
function conflictSentence(
  { current }: Pick<SeenConflict, "current">,
  { opened, fieldName, fieldValue }: ConflictFields,
  words: AdministrationTexts["fleet"],
): string {
  const names = new Set([...Object.keys(current), ...Object.keys(opened)]);
  const changed = [...names]
    .filter((name) => JSON.stringify(current[name]) !== JSON.stringify(opened[name]))
    .flatMap((name) => {
      const field = fieldName(name);
      if (field === undefined) return [];
      const value = current[name] ?? null;
      const shown = fieldValue?.(name, value) ?? (typed.has(name) ? String(value ?? "") : undefined);
      if (shown === undefined && value !== null) return field;
      return shown ? words.nowValue(field, shown) : words.nowEmpty(field);
    });
  return changed.length === 0 ? "" : words.conflictFields(changed.join(", "));
}
