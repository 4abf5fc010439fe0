import { type FormEvent, useState } from "react";
import type { AccountRecord } from "../../both-sides/contract/account.ts";
import { Dialog } from "../common/dialogs/dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { fieldProblems } from "../common/loading/error-words.ts";
import { ErrorNotice, LoadState } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { zoneOptions } from "../common/reading/zones.ts";
import { useReplaceSession, useSession } from "../common/session.ts";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote, ManagedByNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useTexts } from "../texts/use-texts.ts";

export function AccountSettings() {
  const { account: words } = useTexts();
  const { demo } = useSession();
  return (
    <section className="card" aria-labelledby="account-settings">
      <h2 id="account-settings">{words.settings}</h2>
      <p className="quiet">{words.settingsWhat}</p>
      <WithAdministrationTexts>
        <Settings />
      </WithAdministrationTexts>
      <p>
        <Link to="/fleet/streets">{words.mapStreets}</Link>
      </p>
      {demo === null && (
        <p>
          <Link to="/start?have=look">{words.madeUpFleet}</Link>
        </p>
      )}
    </section>
  );
}

function Settings() {
  const loading = useAnswer("GET /fleet/account");
  const account = loading.loaded.data?.data ?? null;
  const session = useSession();
  const replaceSession = useReplaceSession();
  // Another one for each record that is taken over, so that the form begins with it.
  const [round, setRound] = useState(0);
  if (account === null) return <LoadState {...loading} />;
  const take = (record: AccountRecord) => {
    loading.replace(() => ({ data: record }));
    setRound(round + 1);
  };
  return (
    <>
      <AccountForm
        key={round}
        account={account}
        onTake={take}
        onSaved={(record) => {
          take(record);
          const { name, time_zone } = record;
          replaceSession({ ...session, account: { ...session.account, name, time_zone } });
        }}
      />
      <Limits account={account} />
    </>
  );
}

function Limits({ account: { limits } }: { readonly account: AccountRecord }) {
  const { account: words, show } = useTexts();
  const together = limits.account_per_day;
  return (
    <div>
      <h3>{words.limitsTitle}</h3>
      <p>{words.limits(show.number(limits.per_second), show.number(limits.per_day))}</p>
      {together !== undefined && <p>{words.together(show.number(together))}</p>}
      <p className="hint">{words.limitsBy}</p>
    </div>
  );
}

interface AccountFormProps {
  readonly account: AccountRecord;
  readonly onSaved: (account: AccountRecord) => void;
  /** What another person has stored is to be shown instead. */
  readonly onTake: (account: AccountRecord) => void;
}

/** As the server takes it. */
const maxNameLength = 200;

/** Name and time zone. Another zone makes all days again, so that needs a confirmation. */
function AccountForm({ account, onSaved, onTake }: AccountFormProps) {
  const texts = useTexts();
  const { account: words, common } = texts;
  const [name, setName] = useState(account.name);
  const [zone, setZone] = useState(account.time_zone);
  const [toConfirm, setToConfirm] = useState<{ readonly revision: number } | null>(null);
  const isOtherZone = zone !== account.time_zone;
  const fields = {
    ...(name.trim() === account.name ? {} : { name: name.trim() }),
    ...(isOtherZone ? { time_zone: zone } : {}),
  };
  const hasChanged = Object.keys(fields).length > 0;
  const { revision } = account;
  const edit = useEdit(hasChanged ? { target: "PUT /fleet/account", body: { revision, fields } } : null);
  const save = async (atRevision: number, chosen?: Readonly<Record<string, unknown>>) => {
    setToConfirm(null);
    const saved = await edit.save(atRevision, chosen && { fields: chosen });
    if (saved === null) return;
    announce(words.settingsSaved);
    onSaved(saved);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!hasChanged) return;
    if (isOtherZone) setToConfirm({ revision });
    else save(revision);
  };
  const problems = fieldProblems(edit.error, texts);
  const labels: Readonly<Record<string, string>> = { name: words.accountName, time_zone: words.zone };
  return (
    <form onSubmit={submit}>
      {edit.error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={edit.error} />}
      <Field
        label={words.accountName}
        name="account_name"
        required
        maxLength={maxNameLength}
        value={name}
        onChange={({ target }) => setName(target.value)}
        autoComplete="organization"
        problem={problems.name && texts.errors.fields.account_name}
      />
      <Select
        label={words.zone}
        value={zone}
        onChange={setZone}
        options={zoneOptions(account.time_zone)}
        problem={problems.time_zone}
      />
      <EffectNote effect={edit.effect} />
      {edit.conflict !== null && (
        <ConflictNotice
          conflict={edit.conflict}
          opened={{ ...account }}
          fieldName={(field) => labels[field]}
          mine={fields}
          onSave={save}
          onTakeTheirs={() => {
            const { current, revision: theirs } = edit.conflict ?? { current: {}, revision };
            onTake({ ...account, ...current, revision: theirs, managed_by: "portal" });
          }}
        />
      )}
      <ManagedByNote record={account} />
      <Button
        type="submit"
        look="own-width"
        text={edit.isSaving ? common.saving : common.save}
        aria-disabled={!hasChanged}
        isBusy={edit.isSaving}
        disabled={edit.conflict !== null}
      />
      {toConfirm !== null && (
        <Dialog title={words.zoneTitle} onClose={() => setToConfirm(null)}>
          <div className="dialog-form">
            <p>{words.zoneWhat(zone.replaceAll("_", " "))}</p>
            <EffectNote effect={edit.effect} />
            <footer className="dialog-foot">
              <Button text={words.zoneNo} data-first-focus onClick={() => setToConfirm(null)} />
              <Button look="primary" text={words.zoneYes} onClick={() => save(toConfirm.revision)} />
            </footer>
          </div>
        </Dialog>
      )}
    </form>
  );
}
