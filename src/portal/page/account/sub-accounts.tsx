import { useState } from "react";
import { loadDevices } from "../api/devices.ts";
import type { SubAccount } from "../api/portal-records.ts";
import { getJson } from "../api/request.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { inCountingOrder, plural } from "../common/format.ts";
import { ErrorNotice } from "../common/notice.tsx";
import { useLoad } from "../common/use-load.ts";
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
  const { loaded, reload } = useLoad(load);
  const [edited, setEdited] = useState<SubAccount | null>(null);
  return (
    <section className="card" aria-labelledby="sub-accounts">
      <h2 id="sub-accounts">Sub-accounts</h2>
      <p className="quiet">Each sees the vehicles that you assign, on the map and with the keys it makes.</p>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.data === null && loaded.state === "loading" && <LoadingState label="Loading the sub-accounts" />}
      {loaded.data?.users.length === 0 && (
        <EmptyState icon="account" title="No sub-accounts">
          <p>
            Sub-accounts come with the fleet file: add a line of type <code>user</code> and run{" "}
            <code>odograph load</code>.
          </p>
        </EmptyState>
      )}
      <ul className="people">
        {loaded.data?.users.map((user) => {
          const names = user.device_ids.flatMap((id) => loaded.data?.devices.get(id)?.name ?? []).sort(inCountingOrder);
          return (
            <li key={user.user_id} className="person">
              <span className="avatar" aria-hidden="true">
                {user.name.charAt(0).toUpperCase()}
              </span>
              <div className="person-who">
                <h3>
                  {user.name}
                  {user.status === "disabled" && <span className="badge badge-expired">Disabled</span>}
                </h3>
                <p className="quiet">{user.email}</p>
              </div>
              <p className="person-sees">
                <strong>{plural(user.device_ids.length, "vehicle")}</strong>
                <span className="quiet">
                  {names.slice(0, fewNames).join(", ")}
                  {names.length > fewNames && " …"}
                </span>
              </p>
              <button
                type="button"
                className="button button-small"
                aria-label={`Choose vehicles of ${user.name}`}
                onClick={() => setEdited(user)}
              >
                Choose vehicles
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
