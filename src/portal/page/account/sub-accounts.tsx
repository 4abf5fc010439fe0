import { useState } from "react";
import { loadDevices } from "../api/devices.ts";
import type { SubAccount } from "../api/portal-records.ts";
import { getJson } from "../api/request.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AssignDialog } from "./assign-dialog.tsx";

const load = async (signal: AbortSignal) => {
  const [users, devices] = await Promise.all([
    getJson<{ data: readonly SubAccount[] }>("/users", signal),
    loadDevices(signal),
  ]);
  return { users: users.data, devices };
};

/** How many vehicles are named without a click. */
const fewNames = 4;

/** For the owner: who else is in the account, and what each of them sees. */
export function SubAccounts() {
  const { account: words, common } = useTexts();
  const show = useShow();
  const { loaded, reload } = useLoad(load);
  const [edited, setEdited] = useState<SubAccount | null>(null);
  return (
    <section className="card" aria-labelledby="sub-accounts">
      <h2 id="sub-accounts">{words.subAccounts}</h2>
      <p className="quiet">{words.subAccountsSee}</p>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.data === null && loaded.state === "loading" && <LoadingState />}
      {loaded.data?.users.length === 0 && (
        <EmptyState icon="account" title={words.noSubAccounts}>
          <p>{words.askOperator}</p>
        </EmptyState>
      )}
      <ul className="people">
        {loaded.data?.users.map((user) => {
          const names = user.device_ids.flatMap((id) => loaded.data?.devices.get(id)?.name ?? []).sort(show.compare);
          return (
            <li key={user.user_id} className="person">
              <span className="avatar" aria-hidden="true">
                {user.name.charAt(0).toUpperCase()}
              </span>
              <div className="person-who">
                <h3>
                  {user.name}
                  {user.status === "disabled" && <span className="badge badge-expired">{words.disabled}</span>}
                </h3>
                <p className="quiet">{user.email}</p>
              </div>
              <p className="person-sees">
                <strong>{common.vehicles(user.device_ids.length, show.number(user.device_ids.length))}</strong>
                <span className="quiet">
                  {names.slice(0, fewNames).join(", ")}
                  {names.length > fewNames && " …"}
                </span>
              </p>
              <button
                type="button"
                className="button button-small"
                aria-label={words.chooseFor(user.name)}
                onClick={() => setEdited(user)}
              >
                {words.choose}
              </button>
            </li>
          );
        })}
      </ul>
      {edited && loaded.data && (
        <AssignDialog
          user={edited}
          devices={[...loaded.data.devices.values()]}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            reload();
          }}
        />
      )}
    </section>
  );
}
