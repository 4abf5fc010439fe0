import { useState } from "react";
import { loadDevices } from "../api/devices.ts";
import type { Acknowledgement } from "../api/portal-records.ts";
import type { Alert } from "../api/records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { formatNumber, plural } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { AlertFilters } from "./alert-filters.tsx";
import { AlertList } from "./alert-list.tsx";
import type { AlertFilter, AlertsSoFar } from "./load-alerts.ts";
import { useAlerts } from "./use-alerts.ts";
import { usePeople } from "./use-people.ts";

const unfiltered: AlertFilter = { acknowledged: "false", severity: "", alertType: "", deviceId: "", days: "7" };
const none: readonly Alert[] = [];

export function AlertsPage() {
  const heading = useHeading("Alerts");
  const [filter, setFilter] = useState(unfiltered);
  const [failure, setFailure] = useState<unknown>(null);
  const { loaded, reload, isLoadingOlder, loadOlder, change } = useAlerts(filter, setFailure);
  const { loaded: devices } = useLoad(loadDevices);
  const alerts = loaded.data?.rows ?? none;
  const people = usePeople(alerts);

  const acknowledge = async (alert: Alert) => {
    const { data } = await send<{ data: Acknowledgement }>("POST", `/alerts/${alert.alert_id}/acknowledge`);
    const { acknowledged_at, acknowledged_by } = data;
    change({ ...alert, acknowledged: true, acknowledged_at, acknowledged_by });
    announce("Alert acknowledged");
  };

  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Alerts
          </h1>
          <p className="quiet" aria-live="polite">
            {loaded.state === "ready" ? countWords(loaded.data) : "Looking…"}
          </p>
        </div>
        <button type="button" className="button" disabled={loaded.state === "loading"} onClick={reload}>
          <Icon name="rotate" />
          Look for new ones
        </button>
      </header>
      <AlertFilters filter={filter} onChange={setFilter} devices={devices.data} />
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.data === null && loaded.state === "loading" && <LoadingState label="Loading the alerts" />}
      {loaded.state === "ready" && alerts.length === 0 && <NoAlerts filter={filter} onReset={setFilter} />}
      {alerts.length > 0 && (
        <AlertList
          alerts={alerts}
          hasOlder={loaded.data?.olderThan !== null}
          isLoadingOlder={isLoadingOlder || loaded.state === "loading"}
          onOlder={loadOlder}
          devices={devices.data}
          people={people}
          onAcknowledge={acknowledge}
        />
      )}
      {failure !== null && <ErrorNotice error={failure} />}
    </div>
  );
}

function countWords({ rows, olderThan }: AlertsSoFar): string {
  if (olderThan === null) return `${plural(rows.length, "alert")}, the newest first`;
  return `The newest ${formatNumber(rows.length)} alerts; there are older ones`;
}

interface NoAlertsProps {
  readonly filter: AlertFilter;
  readonly onReset: (filter: AlertFilter) => void;
}

function NoAlerts({ filter, onReset }: NoAlertsProps) {
  const isNarrow = filter.severity !== "" || filter.alertType !== "" || filter.deviceId !== "";
  const isWidest = filter.acknowledged === "" && filter.days === "31";
  if (isNarrow) {
    return (
      <EmptyState icon="bell" title="No alert fits">
        <button type="button" className="button" onClick={() => onReset(unfiltered)}>
          Clear the filters
        </button>
      </EmptyState>
    );
  }
  if (isWidest) {
    return (
      <EmptyState icon="bell" title="No alerts in 31 days">
        <p>
          Alerts come from the rules of each vehicle. They are set in the fleet file, by lines of type{" "}
          <code>alert_settings</code>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="bell" title="Nothing to look after">
      <p>No alert of this kind in this time.</p>
      <button type="button" className="button" onClick={() => onReset({ ...filter, acknowledged: "", days: "31" })}>
        Show all of the last 31 days
      </button>
    </EmptyState>
  );
}
