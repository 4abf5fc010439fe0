import { useState } from "react";
import type { Device } from "../api/records.ts";
import { send } from "../api/request.ts";
import { fieldProblems } from "../common/error-words.ts";
import { FormDialog, useSubmit } from "../common/form-dialog.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { NameAndEmail } from "./name-and-email.tsx";
import type { Invited } from "./person.ts";
import { VehicleChoice } from "./vehicle-choice.tsx";

interface InviteProps {
  readonly devices: readonly Device[];
  readonly onClose: () => void;
  readonly onInvited: (invited: Invited) => void;
}

const path = "/fleet/users";

/** Makes a sub-account without a password, and a link with which the person chooses one. */
export function InviteDialog({ devices, onClose, onInvited }: InviteProps) {
  const { people: words } = useAdministrationTexts();
  const [entered, setEntered] = useState({ name: "", email: "" });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  const { submit, error: refusal, isBusy, forgetError } = useSubmit();
  const fields = { name: entered.name.trim(), email: entered.email.trim(), device_ids: [...chosen] };
  // Half an address is not refused while it is being written.
  const isComplete = fields.name !== "" && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(fields.email);
  const { effect, error: early } = useEdit(isComplete ? { method: "POST", path, revision: null, fields } : null);
  const error = refusal ?? early;
  const invite = async () => onInvited(await send<Invited>("POST", path, { fields }));
  const problems = fieldProblems(error, useTexts());
  const isOfFields = problems.name !== undefined || problems.email !== undefined;
  return (
    <FormDialog
      title={words.invite}
      onClose={onClose}
      error={isOfFields ? null : error}
      isBusy={isBusy}
      words={[words.makeInvitation, words.making]}
      onSubmit={(event) => submit(invite, event)}
    >
      <NameAndEmail
        {...entered}
        onChange={(changed) => {
          setEntered({ ...entered, ...changed });
          if (changed.email !== undefined) forgetError();
        }}
        problems={problems}
      />
      <fieldset className="choice-of-vehicles">
        <legend>{words.whichVehicles}</legend>
        <VehicleChoice devices={devices} chosen={chosen} onChoose={setChosen} />
      </fieldset>
      <EffectNote effect={effect} />
    </FormDialog>
  );
}
