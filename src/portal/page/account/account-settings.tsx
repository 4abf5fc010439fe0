import { useCallback, useState } from "react";
import { getJson } from "../api/request.ts";
import { LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { AccountForm } from "./account-form.tsx";
import type { AccountRecord } from "./account-record.ts";

const load = async (signal: AbortSignal) => (await getJson<{ data: AccountRecord }>("/fleet/account", signal)).data;

/** For the owner: the account itself. */
export function AccountSettings() {
  return (
    <section className="card" aria-labelledby="account-settings">
      <Heading />
      <WithAdministrationTexts>
        <Settings />
      </WithAdministrationTexts>
    </section>
  );
}

function Heading() {
  const { account: words } = useTexts();
  return (
    <>
      <h2 id="account-settings">{words.settings}</h2>
      <p className="quiet">{words.settingsWhat}</p>
    </>
  );
}

function Settings() {
  const { loaded, reload, replace } = useLoad(load);
  const session = useSession();
  const replaceSession = useReplaceSession();
  const [round, setRound] = useState(0);
  const take = useCallback(
    (record: AccountRecord) => {
      replace(() => record);
      setRound((current) => current + 1);
    },
    [replace],
  );
  if (loaded.data === null)
    return loaded.state === "failed" ? <ErrorNotice error={loaded.error} retry={reload} /> : <LoadingState />;
  return (
    <>
      <AccountForm
        key={round}
        account={loaded.data}
        onTake={take}
        onSaved={(record) => {
          take(record);
          const { name, time_zone } = record;
          replaceSession({ ...session, account: { ...session.account, name, time_zone } });
        }}
      />
      <Limits account={loaded.data} />
    </>
  );
}

function Limits({ account: { limits } }: { readonly account: AccountRecord }) {
  const { account: words } = useTexts();
  const show = useShow();
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
