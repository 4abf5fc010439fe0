import { type FormEvent, useState } from "react";
import type { MadeKey, ScopeWords } from "../api/portal-records.ts";
import { getJson, send } from "../api/request.ts";
import { Dialog } from "../common/dialog.tsx";
import { LoadingState } from "../common/empty-state.tsx";
import { fieldProblems } from "../common/error-words.ts";
import { Field } from "../common/field.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { expiryOf } from "./expiry.ts";
import { ExpiryChoice } from "./expiry-choice.tsx";
import { ScopeChoice } from "./scope-choice.tsx";

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

/** As the server takes it. */
const maxNameLength = 100;

const loadScopes = async (signal: AbortSignal) =>
  (await getJson<{ data: readonly ScopeWords[] }>("/scopes", signal)).data;

export function CreateKeyDialog({ onClose, onMade }: CreateKeyProps) {
  const { account } = useSession();
  const { loaded } = useLoad(loadScopes);
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [lacksScopes, setLacksScopes] = useState(false);
  const texts = useTexts();
  const words = texts.keys;
  const show = useShow();
  const [name, setName] = useState("");
  const { per_second, per_day, account_per_day } = account.limits;
  const maxPerDay = Math.min(per_day, account_per_day ?? per_day);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entered = new FormData(form);
    setLacksScopes(scopes.length === 0);
    if (scopes.length === 0) return form.querySelector<HTMLElement>("[name=scope]")?.focus();
    setBusy(true);
    try {
      const wanted = {
        name: name.trim(),
        scopes,
        expires_at: expiryOf(String(entered.get("expiry")), String(entered.get("expiry_date")), show.zone, Date.now()),
        per_second: numberOf(entered.get("per_second")),
        per_day: numberOf(entered.get("per_day")),
      };
      onMade(await send<MadeKey>("POST", "/keys", wanted));
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const problems = fieldProblems(error, texts);
  const isElsewhere = error !== null && Object.keys(problems).length === 0;
  return (
    <Dialog title={words.create} onClose={onClose} wide>
      <form onSubmit={create} className="dialog-form">
        {isElsewhere && <ErrorNotice error={error} />}
        <Field
          label={words.name}
          name="name"
          required
          data-first-focus
          maxLength={maxNameLength}
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder={words.whichSystem}
          hint={
            name.length > maxNameLength * 0.8 ? words.nameLeft(show.number(maxNameLength - name.length)) : undefined
          }
          autoComplete="off"
          problem={problems.name}
        />
        {loaded.data === null ? (
          <LoadingState />
        ) : (
          <ScopeChoice
            scopes={loaded.data}
            chosen={scopes}
            onChange={setScopes}
            problem={lacksScopes && scopes.length === 0 ? words.chooseOne : problems.scopes}
          />
        )}
        <ExpiryChoice problem={problems.expires_at} />
        <div className="field-row">
          <Field
            label={words.perSecond}
            name="per_second"
            type="number"
            min={1}
            max={per_second}
            placeholder={show.number(per_second)}
            hint={words.upTo(show.number(per_second))}
            problem={problems.per_second}
          />
          <Field
            label={words.perDay}
            name="per_day"
            type="number"
            min={1}
            max={maxPerDay}
            placeholder={show.number(maxPerDay)}
            hint={words.upTo(show.number(maxPerDay))}
            problem={problems.per_day}
          />
        </div>
        <Notice kind="info">{words.shownOnce}</Notice>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {texts.common.cancel}
          </button>
          <button type="submit" className="button button-primary" disabled={isBusy}>
            {isBusy ? words.creating : words.createIt}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function numberOf(entered: FormDataEntryValue | null): number | null {
  return entered === null || entered === "" ? null : Number(entered);
}
