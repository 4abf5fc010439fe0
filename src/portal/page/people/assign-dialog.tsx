import { useState } from "react";
import type { Device } from "../api/records.ts";
import { announce } from "../common/announce.tsx";
import { FormDialog } from "../common/form-dialog.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { Person } from "./person.ts";
import { VehicleChoice } from "./vehicle-choice.tsx";

interface AssignProps {
  readonly person: Person;
  readonly devices: readonly Device[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Which vehicles a sub-account sees. Only what was changed here is sent, so what somebody else changed meanwhile stays. */
export function AssignDialog({ person, devices, onClose, onSaved }: AssignProps) {
  const { people: words, common, show } = useAdministrationTexts();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(person.device_ids));
  const seen = new Set(person.device_ids);
  const fields = {
    begins: [...chosen].filter((id) => !seen.has(id)),
    ends: person.device_ids.filter((id) => !chosen.has(id)),
  };
  const isChanged = fields.begins.length + fields.ends.length > 0;
  const path = `/fleet/users/${person.user_id}/vehicles`;
  const edit = useEdit<Person>(isChanged ? { method: "PUT", path, revision: "none", fields } : null);
  const save = async () => {
    if (isChanged && (await edit.save()) === null) return;
    announce(words.nowSees(person.name, common.vehicles(chosen.size, show.number(chosen.size))));
    onSaved();
  };
  return (
    <FormDialog
      title={words.whatSees(person.name)}
      onClose={onClose}
      error={edit.error}
      isBusy={edit.isSaving}
      words={[common.save, common.saving]}
      onConfirm={save}
    >
      <VehicleChoice devices={devices} chosen={chosen} onChoose={setChosen} isFirst />
      <EffectNote effect={edit.effect} />
    </FormDialog>
  );
}
