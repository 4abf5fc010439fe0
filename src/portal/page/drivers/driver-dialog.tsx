import type { FormEvent } from "react";
import { to } from "../../both-sides/address.ts";
import type { DriverRecord } from "../../both-sides/contract/people.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Field } from "../common/fields/field.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { fieldProblems } from "../common/loading/error-words.ts";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote, ManagedByNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { TagField } from "../vehicles/tag-field.tsx";

interface DriverDialogProps {
  /** Null: a new one. */
  readonly driver: DriverRecord | null;
  readonly driverIds: readonly string[];
  /** Ids that nobody has yet, to choose from. */
  readonly known: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function DriverDialog({ driver, driverIds, known, onClose, onSaved }: DriverDialogProps) {
  const texts = useAdministrationTexts();
  const { drivers: words, common } = texts;
  const { form, setForm, isBack } = useKeptForm(`driver ${driver?.id ?? "new"}`, () => ({
    name: driver?.name ?? "",
    ids: driverIds,
  }));
  const { name, ids } = form;
  const fields = { name: name.trim(), driver_ids: ids };
  const opened = { name: driver?.name ?? "", driver_ids: driver?.driver_ids ?? [] };
  const changed = Object.fromEntries(
    (["name", "driver_ids"] as const).flatMap((name) =>
      JSON.stringify(fields[name]) === JSON.stringify(opened[name]) ? [] : [[name, fields[name]]],
    ),
  );
  const isChanged = Object.keys(changed).length > 0;
  const edit = useEdit<"POST /fleet/drivers" | "PUT /fleet/drivers/{driver_id}">(
    fields.name === "" || !isChanged
      ? null
      : driver === null
        ? { target: "POST /fleet/drivers", body: { fields } }
        : {
            target: to("PUT /fleet/drivers/{driver_id}", { driver_id: driver.id }),
            body: { revision: driver.revision, fields: changed },
          },
  );
  const store = async (revision?: number, chosen?: Readonly<Record<string, unknown>>) => {
    const saved = await edit.save(revision, chosen && { fields: chosen });
    if (saved === null) return;
    announce(words.saved(saved.name));
    onSaved();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) store();
    else onClose();
  };
  const problems = fieldProblems(edit.error, texts);
  const idProblem = Object.entries(problems).find(([field]) => field.startsWith("driver_ids"))?.[1];
  const isOfFields = Object.keys(problems).length > 0;
  const names: Readonly<Record<string, string>> = { name: words.name, driver_ids: words.ids };
  return (
    <FormDialog
      title={driver === null ? words.add : words.editWho(driver.name)}
      onClose={onClose}
      error={isOfFields ? null : edit.error}
      isBusy={edit.isSaving}
      isDisabled={edit.conflict !== null}
      isBack={isBack}
      words={[common.save, common.saving]}
      onSubmit={save}
    >
      {edit.conflict && (
        <ConflictNotice
          conflict={edit.conflict}
          opened={opened}
          fieldName={(field) => names[field]}
          mine={changed}
          onSave={store}
          onTakeTheirs={onSaved}
        />
      )}
      <Field
        label={words.name}
        autoComplete="off"
        data-first-focus
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setForm({ ...form, name: target.value })}
        problem={problems.name}
      />
      <TagField
        label={words.ids}
        hint={words.idsHint}
        problem={idProblem}
        tags={ids}
        known={known}
        words={{ newTag: words.newId, removeTag: words.removeId }}
        onChange={(ids) => setForm({ ...form, ids })}
      />
      <EffectNote effect={edit.effect} />
      {driver !== null && <ManagedByNote record={driver} />}
    </FormDialog>
  );
}
