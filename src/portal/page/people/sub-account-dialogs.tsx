import { useMemo } from "react";
import { to } from "../../both-sides/address.ts";
import type { AnswerTo } from "../../both-sides/contract/contract.ts";
import type { Device } from "../../both-sides/contract/data.ts";
import type { Person } from "../../both-sides/contract/people.ts";
import { send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { CheckList } from "../common/fields/check-list.tsx";
import { Field } from "../common/fields/field.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { fieldProblems } from "../common/loading/error-words.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface VehicleChoiceProps {
  readonly devices: readonly Device[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly isFirst?: boolean;
}

function VehicleChoice({ devices, chosen, onChoose, isFirst = false }: VehicleChoiceProps) {
  const { people: words, common, show } = useAdministrationTexts();
  const items = useMemo(
    () =>
      devices.map(({ device_id, name, plate, imei }) => ({ id: device_id, name, detail: plate ?? imei, also: imei })),
    [devices],
  );
  const toggle = (ids: readonly string[], isWanted: boolean) =>
    onChoose(isWanted ? chosen.union(new Set(ids)) : chosen.difference(new Set(ids)));
  return (
    <CheckList
      items={items}
      chosen={chosen}
      onToggle={toggle}
      searchLabel={common.searchVehicle}
      placeholder={common.nameOrPlate}
      isFirst={isFirst}
      status={(found, isSearch) => {
        const isAll = found.every(({ id }) => chosen.has(id));
        const count = show.number(found.length);
        const text = isSearch
          ? (isAll ? words.clearThese : words.chooseThese)(count)
          : isAll
            ? words.clearAll
            : words.chooseAll;
        return (
          <p className="list-status">
            <span aria-live="polite">{words.chosen(common.vehicles(chosen.size, show.number(chosen.size)))}</span>
            <button
              type="button"
              className="link-button"
              onClick={() =>
                toggle(
                  found.map(({ id }) => id),
                  !isAll,
                )
              }
            >
              {text}
            </button>
          </p>
        );
      }}
    />
  );
}

interface AssignProps {
  readonly person: Person;
  readonly devices: readonly Device[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Which vehicles a sub-account sees. Only what was changed here is sent, so that other changes stay. */
export function AssignDialog({ person, devices, onClose, onSaved }: AssignProps) {
  const { people: words, common, show } = useAdministrationTexts();
  const {
    form: chosen,
    setForm: setChosen,
    isBack,
  } = useKeptForm<ReadonlySet<string>>(`vehicles of ${person.user_id}`, () => new Set(person.device_ids));
  const seen = new Set(person.device_ids);
  const fields = {
    begins: [...chosen].filter((id) => !seen.has(id)),
    ends: person.device_ids.filter((id) => !chosen.has(id)),
  };
  const isChanged = fields.begins.length + fields.ends.length > 0;
  const target = to("PUT /fleet/users/{user_id}/vehicles", { user_id: person.user_id });
  const edit = useEdit(isChanged ? { target, body: fields } : null);
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
      isBack={isBack}
      words={[common.save, common.saving]}
      onConfirm={save}
    >
      <VehicleChoice devices={devices} chosen={chosen} onChoose={setChosen} isFirst />
      <EffectNote effect={edit.effect} />
    </FormDialog>
  );
}

interface InviteProps {
  readonly devices: readonly Device[];
  readonly onClose: () => void;
  readonly onInvited: (invited: AnswerTo<"POST /fleet/users">) => void;
}

/** Makes a sub-account without a password, and a link with which the person chooses one. */
export function InviteDialog({ devices, onClose, onInvited }: InviteProps) {
  const texts = useAdministrationTexts();
  const { people: words } = texts;
  const { form, setForm, isBack } = useKeptForm("person new", () => ({
    entered: { name: "", email: "" },
    chosen: new Set() as ReadonlySet<string>,
  }));
  const { entered, chosen } = form;
  const { submit, error: refusal, isBusy, forgetError } = useSubmit();
  const fields = { name: entered.name.trim(), email: entered.email.trim(), device_ids: [...chosen] };
  // Half an address is not refused while it is being written.
  const isComplete = fields.name !== "" && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(fields.email);
  const { effect, error: early } = useEdit(isComplete ? { target: "POST /fleet/users", body: { fields } } : null);
  const error = refusal ?? early;
  const invite = async () => onInvited(await send("POST /fleet/users", { fields }));
  const problems = fieldProblems(error, texts);
  const isOfFields = problems.name !== undefined || problems.email !== undefined;
  return (
    <FormDialog
      title={words.invite}
      onClose={onClose}
      error={isOfFields ? null : error}
      isBusy={isBusy}
      isBack={isBack}
      words={[words.makeInvitation, words.making]}
      onSubmit={(event) => submit(invite, event)}
    >
      <NameAndEmail
        {...entered}
        onChange={(changed) => {
          setForm({ ...form, entered: { ...entered, ...changed } });
          if (changed.email !== undefined) forgetError();
        }}
        problems={problems}
      />
      <fieldset className="choice-of-vehicles">
        <legend>{words.whichVehicles}</legend>
        <VehicleChoice devices={devices} chosen={chosen} onChoose={(ids) => setForm({ ...form, chosen: ids })} />
      </fieldset>
      <EffectNote effect={effect} />
    </FormDialog>
  );
}

interface NameAndEmailProps {
  readonly name: string;
  readonly email: string;
  readonly onChange: (typed: Readonly<Partial<Record<"name" | "email", string>>>) => void;
  readonly problems: Readonly<Record<string, string>>;
  /** Why the e-mail cannot be changed. */
  readonly whyFixed?: string | undefined;
}

export function NameAndEmail({ name, email, onChange, problems, whyFixed }: NameAndEmailProps) {
  const { people: words } = useAdministrationTexts();
  return (
    <>
      <Field
        label={words.name}
        autoComplete="off"
        data-first-focus
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        problem={problems.name}
      />
      <Field
        label={words.email}
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        hint={whyFixed ?? words.emailHint}
        readOnly={whyFixed !== undefined}
        value={email}
        onChange={({ target }) => onChange({ email: target.value })}
        problem={problems.email}
      />
    </>
  );
}
