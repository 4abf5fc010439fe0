import { type FormEvent, useState } from "react";
import type { MadeKey, ScopeWords } from "../api/portal-records.ts";
import { getJson, PortalError, send } from "../api/request.ts";
import { Dialog } from "../common/dialog.tsx";
import { LoadingState } from "../common/empty-state.tsx";
import { Field } from "../common/field.tsx";
import { formatNumber } from "../common/format.ts";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { expiryOf } from "./expiry.ts";
import { ExpiryChoice } from "./expiry-choice.tsx";
import { ScopeChoice } from "./scope-choice.tsx";

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

const loadScopes = async (signal: AbortSignal) =>
  (await getJson<{ data: readonly ScopeWords[] }>("/scopes", signal)).data;

export function CreateKeyDialog({ onClose, onMade }: CreateKeyProps) {
  const { account } = useSession();
  const { loaded } = useLoad(loadScopes);
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [lacksScopes, setLacksScopes] = useState(false);
  const { zone } = useShow();
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
        name: String(entered.get("name")).trim(),
        scopes,
        expires_at: expiryOf(String(entered.get("expiry")), String(entered.get("expiry_date")), zone, Date.now()),
        per_second: numberOf(entered.get("per_second")),
        per_day: numberOf(entered.get("per_day")),
      };
      onMade(await send<MadeKey>("POST", "/keys", wanted));
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const problems = error instanceof PortalError ? error.fields : {};
  const isElsewhere = error !== null && Object.keys(problems).length === 0;
  return (
    <Dialog title="Create a key" onClose={onClose} wide>
      <form onSubmit={create} className="dialog-form">
        {isElsewhere && <ErrorNotice error={error} />}
        <Field
          label="Name"
          name="name"
          required
          data-first-focus
          placeholder="Which system will use it?"
          autoComplete="off"
          problem={problems.name}
        />
        {loaded.data === null ? (
          <LoadingState label="Loading the scopes" />
        ) : (
          <ScopeChoice
            scopes={loaded.data}
            chosen={scopes}
            onChange={setScopes}
            problem={lacksScopes && scopes.length === 0 ? "Choose at least one." : problems.scopes}
          />
        )}
        <ExpiryChoice problem={problems.expires_at} />
        <div className="field-row">
          <Field
            label="Requests per second"
            name="per_second"
            type="number"
            min={1}
            max={per_second}
            placeholder={formatNumber(per_second)}
            hint={`Up to ${formatNumber(per_second)}. Empty: as the account.`}
            problem={problems.per_second}
          />
          <Field
            label="Requests per day"
            name="per_day"
            type="number"
            min={1}
            max={maxPerDay}
            placeholder={formatNumber(maxPerDay)}
            hint={`Up to ${formatNumber(maxPerDay)}. Empty: as the account.`}
            problem={problems.per_day}
          />
        </div>
        <Notice kind="info">
          The key is shown once, right after this. If you close the tab before you have copied it, it is gone, and you
          need a new key.
        </Notice>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-primary" disabled={isBusy}>
            {isBusy ? "Creating…" : "Create the key"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function numberOf(entered: FormDataEntryValue | null): number | null {
  return entered === null || entered === "" ? null : Number(entered);
}
