import { useCallback, useMemo, useState } from "react";
import { loadDevices } from "../api/devices.ts";
import type { Acknowledgement, SubAccount } from "../api/portal-records.ts";
import type { Alert } from "../api/records.ts";
import { getJson, send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { plural } from "../common/format.ts";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { AlertFilters } from "./alert-filters.tsx";
import { AlertList } from "./alert-list.tsx";
import { type AlertFilter, loadAlerts } from "./load-alerts.ts";

const unfiltered: AlertFilter = { acknowledged: "false", severity: "", alertType: "", deviceId: "", days: "7" };

const loadUsers = async (signal: AbortSignal) =>
  (await getJson<{ data: readonly SubAccount[] }>("/users", signal)).data;

export function AlertsPage() {
  const heading = useHeading("Alerts");
  const { user } = useSession();
  const [filter, setFilter] = useState(unfiltered);
  const [failure, setFailure] = useState<unknown>(null);
  const load = useCallback((signal: AbortSignal) => loadAlerts(filter, signal), [filter]);
  const { loaded, reload, replace } = useLoad(load);
  const { loaded: devices } = useLoad(loadDevices);
  const { loaded: users } = useLoad(loadUsers);
  const names = useMemo(() => {
    const known = new Map((users.data ?? []).map(({ user_id, name }) => [user_id, name]));
    return known.set(user.user_id, user.name);
  }, [users.data, user]);

  const acknowledge = async (alert: Alert) => {
    setFailure(null);
    try {
      const { data } = await send<{ data: Acknowledgement }>("POST", `/alerts/${alert.alert_id}/acknowledge`);
      names.set(data.acknowledged_by, data.acknowledged_by_name);
      replace((found) => ({
        ...found,
        rows: found.rows.map((row) => (row.alert_id === data.alert_id ? { ...row, ...data, acknowledged: true } : row)),
      }));
      announce("Alert acknowledged");
    } catch (cause) {
      setFailure(cause);
    }
  };

  const alerts = loaded.data?.rows ?? [];
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Alerts
          </h1>
          <p className="quiet" aria-live="polite">
            {loaded.state === "ready" ? `${plural(alerts.length, "alert")}, the newest first` : "Looking…"}
          </p>
        </div>
      </header>
      <AlertFilters filter={filter} onChange={setFilter} devices={devices.data} />
      {failure !== null && <ErrorNotice error={failure} />}
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.data === null && loaded.state === "loading" && <LoadingState label="Loading the alerts" />}
      {loaded.data?.hasMore && (
        <Notice kind="info">There are more alerts than are shown here. Narrow the filters to see the others.</Notice>
      )}
      {loaded.state === "ready" && alerts.length === 0 && <NoAlerts filter={filter} onReset={setFilter} />}
      {alerts.length > 0 && (
        <AlertList alerts={alerts} devices={devices.data} userNames={names} onAcknowledge={acknowledge} />
      )}
    </div>
  );
}

interface NoAlertsProps {
  readonly filter: AlertFilter;
  readonly onReset: (filter: AlertFilter) => void;
}

function NoAlerts({ filter, onReset }: NoAlertsProps) {
  const isNarrow = filter.severity !== "" || filter.alertType !== "" || filter.deviceId !== "";
  return (
    <EmptyState icon="bell" title={isNarrow ? "No alert fits" : "Nothing to look after"}>
      {isNarrow ? (
        <button type="button" className="button" onClick={() => onReset(unfiltered)}>
          Clear the filters
        </button>
      ) : (
        <>
          <p>No alert of this kind in this time.</p>
          <button type="button" className="button" onClick={() => onReset({ ...filter, acknowledged: "", days: "31" })}>
            Show all of the last 31 days
          </button>
        </>
      )}
    </EmptyState>
  );
}
