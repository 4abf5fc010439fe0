import { type FormEvent, useMemo, useState } from "react";
import type { Device } from "../api/records.ts";
import { PortalError, send } from "../api/request.ts";
import { Dialog } from "../common/dialog.tsx";
import { Field } from "../common/field.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
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
  const { common } = useTexts();
  const { people: words } = useAdministrationTexts();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const fields = useMemo(
    () => ({ name: name.trim(), email: email.trim(), device_ids: [...chosen] }),
    [name, email, chosen],
  );
  // Half an address is not refused while it is being written.
  const isComplete = fields.name !== "" && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(fields.email);
  const { effect, error: early } = useEdit(isComplete ? { method: "POST", path, revision: null, fields } : null);
  const error = refusal ?? early;
  const invite = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      onInvited(await send<Invited>("POST", path, { fields }));
    } catch (cause) {
      setRefusal(cause);
      setBusy(false);
    }
  };
  const problems: Readonly<Record<string, string>> = error instanceof PortalError ? error.fields : {};
  const isOfFields = problems.name !== undefined || problems.email !== undefined;
  return (
    <Dialog title={words.inviteTitle} onClose={onClose}>
      <form className="dialog-form" onSubmit={invite}>
        {error !== null && !isOfFields && <ErrorNotice error={error} />}
        <Field
          label={words.name}
          autoComplete="off"
          data-first-focus
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problems.name && words.badName}
        />
        <Field
          label={words.email}
          type="email"
          autoComplete="off"
          required
          maxLength={254}
          hint={words.emailHint}
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setRefusal(null);
          }}
          problem={problems.email && words.badEmail}
        />
        <fieldset className="choice-of-vehicles">
          <legend>{words.whichVehicles}</legend>
          <VehicleChoice devices={devices} chosen={chosen} onChoose={setChosen} />
        </fieldset>
        <EffectNote effect={effect} />
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" className="button button-primary" disabled={isBusy}>
            {isBusy ? words.making : words.makeInvitation}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
