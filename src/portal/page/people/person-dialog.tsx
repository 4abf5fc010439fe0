import { type FormEvent, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { MadeLink, Person } from "../../both-sides/contract/people.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Field } from "../common/fields/field.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { fieldProblems } from "../common/loading/error-words.ts";
import { useReplaceSession, useSession } from "../common/session.ts";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote, ManagedByNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { personFields } from "./person.ts";
import { PersonAccess } from "./person-access.tsx";
import { NameAndEmail } from "./sub-account-dialogs.tsx";

interface PersonProps {
  readonly person: Person;
  readonly onClose: () => void;
  /** The person as they are now; the dialog stays. */
  readonly onChanged: (person: Person) => void;
  readonly onLink: (link: MadeLink) => void;
  readonly onRemove: () => void;
}

export function PersonDialog({ person, onClose, onChanged, onLink, onRemove }: PersonProps) {
  const texts = useAdministrationTexts();
  const { people: words } = texts;
  // Only what was typed: the rest follows the person as they are now.
  const {
    form: typed,
    setForm: setTyped,
    isBack,
  } = useKeptForm<Readonly<Partial<Record<"name" | "email", string>>>>(`person ${person.user_id}`, () => ({}));
  const entered = { name: person.name, email: person.email, ...typed };
  const fields = Object.fromEntries(
    (["name", "email"] as const).flatMap((name) => {
      const text = entered[name].trim();
      return text === person[name] ? [] : [[name, text]];
    }),
  );
  const isChanged = Object.keys(fields).length > 0;
  const session = useSession();
  const replaceSession = useReplaceSession();
  const isOwn = person.user_id === session.user.user_id;
  // A borrowed session must not be enough to move a person's access to another mailbox.
  const asksPassword = isOwn && session.user.has_password && fields.email !== undefined;
  const [password, setPassword] = useState("");
  const target = to("PUT /fleet/users/{user_id}", { user_id: person.user_id });
  const edit = useEdit(isChanged ? { target, body: { revision: person.revision, fields } } : null);
  const store = async (revision?: number, chosen?: Readonly<Record<string, unknown>>) => {
    const also = { ...(asksPassword && { current_password: password }), ...(chosen && { fields: chosen }) };
    const saved = await edit.save(revision, also);
    if (saved === null) return;
    const { name, email, needs_confirmation } = saved;
    if (isOwn) replaceSession({ ...session, user: { ...session.user, name, email, needs_confirmation } });
    announce(words.saved(saved.name));
    onChanged(saved);
    onClose();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) store();
    else onClose();
  };
  const problems = fieldProblems(edit.error, texts);
  const isOfFields = Object.keys(problems).length > 0;
  return (
    <FormDialog
      title={words.manageWho(person.name)}
      onClose={onClose}
      error={isOfFields ? null : edit.error}
      isBusy={edit.isSaving}
      isDisabled={edit.conflict !== null}
      isBack={isBack}
      words={[texts.common.save, texts.common.saving]}
      onSubmit={save}
    >
      {edit.conflict && (
        <ConflictNotice
          conflict={edit.conflict}
          {...personFields(person, words)}
          mine={fields}
          onSave={store}
          onTakeTheirs={() => {
            const { current, revision } = edit.conflict ?? { current: {}, revision: person.revision };
            setTyped({});
            onChanged({ ...person, ...(current as Pick<Person, "name" | "email" | "status">), revision });
            edit.forgetConflict();
          }}
        />
      )}
      <NameAndEmail
        {...entered}
        onChange={(changed) => setTyped({ ...typed, ...changed })}
        problems={problems}
        whyFixed={isOwn && !session.user.has_password ? words.ownEmailNeedsPassword : undefined}
      />
      {person.needs_confirmation && person.status === "active" && (
        <p className="hint">
          {words.notConfirmed}: {words.notConfirmedWhat}
        </p>
      )}
      {asksPassword && (
        <Field
          label={words.ownPassword}
          type="password"
          autoComplete="current-password"
          required
          maxLength={1000}
          hint={words.ownPasswordWhy}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={problems.current_password}
        />
      )}
      <EffectNote effect={edit.effect} />
      <ManagedByNote record={person} />
      {person.role === "sub_account" && (
        <PersonAccess person={person} onChanged={onChanged} onLink={onLink} onRemove={onRemove} />
      )}
    </FormDialog>
  );
}
