import { useState } from "react";
import { getJson } from "../api/request.ts";
import { LoadState } from "../common/load-state.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { useLoad } from "../common/use-load.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { AccountForm, type AccountRecord } from "./account-form.tsx";

const load = async (signal: AbortSignal) => (await getJson<{ data: AccountRecord }>("/fleet/account", signal)).data;

/** For the owner: the account itself. */
export function AccountSettings() {
  const { account: words } = useTexts();
  return (
    <section className="card" aria-labelledby="account-settings">
      <h2 id="account-settings">{words.settings}</h2>
      <p className="quiet">{words.settingsWhat}</p>
      <WithAdministrationTexts>
        <Settings />
      </WithAdministrationTexts>
    </section>
  );
}

function Settings() {
  const loading = useLoad(load);
  const account = loading.loaded.data;
  const session = useSession();
  const replaceSession = useReplaceSession();
  // Another one for each record that is taken over, so that the form begins with it.
  const [round, setRound] = useState(0);
  if (account === null) return <LoadState {...loading} />;
  const take = (record: AccountRecord) => {
    loading.replace(() => record);
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
