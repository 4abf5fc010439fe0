import { useState } from "react";
import type { DevicesById } from "../api/devices.ts";
import type { Alert } from "../api/records.ts";
import { useNow } from "../common/clock.ts";
import { capitalised, formatDuration, humanise } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { Link } from "../common/route.tsx";
import { Time } from "../common/time.tsx";
import { dayOf } from "../playback/day.ts";
import { SeverityBadge } from "./severity-badge.tsx";

interface AlertListProps {
  readonly alerts: readonly Alert[];
  readonly devices: DevicesById | null;
  readonly userNames: ReadonlyMap<string, string>;
  readonly onAcknowledge: (alert: Alert) => Promise<void>;
}

const rowsAtOnce = 100;

export function AlertList({ alerts, devices, userNames, onAcknowledge }: AlertListProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const now = useNow(30_000);
  return (
    <>
      <ul className="alerts">
        {alerts.slice(0, rows).map((alert) => (
          <li key={alert.alert_id} className={`alert alert-${alert.severity}`} data-alert={alert.alert_type}>
            <SeverityBadge severity={alert.severity} />
            <div className="alert-what">
              <h2>{humanise(alert.alert_type)}</h2>
              <p>{capitalised(alert.message)}</p>
            </div>
            <p className="alert-vehicle">
              <Link to={`/map/${alert.device_id}?day=${dayOf(Date.parse(alert.occurred_at), false)}`}>
                {devices?.get(alert.device_id)?.name ?? "Vehicle"}
              </Link>
              <span className="quiet">{devices?.get(alert.device_id)?.plate}</span>
            </p>
            <p className="alert-when">
              <Time at={alert.occurred_at} />
              <span className="quiet">
                <Duration alert={alert} now={now} />
              </span>
            </p>
            <div className="alert-state">
              <Acknowledged alert={alert} userNames={userNames} onAcknowledge={onAcknowledge} />
            </div>
          </li>
        ))}
      </ul>
      {alerts.length > rows && (
        <button type="button" className="button button-wide" onClick={() => setRows(rows + rowsAtOnce)}>
          Show more
        </button>
      )}
    </>
  );
}

function Duration({ alert, now }: { readonly alert: Alert; readonly now: number }) {
  if (alert.ended_at === null) return <Time at={alert.occurred_at} now={now} />;
  const seconds = (Date.parse(alert.ended_at) - Date.parse(alert.occurred_at)) / 1000;
  return seconds < 60 ? <Time at={alert.occurred_at} now={now} /> : <>for {formatDuration(seconds)}</>;
}

function Acknowledged({
  alert,
  userNames,
  onAcknowledge,
}: Omit<AlertListProps, "alerts" | "devices"> & { alert: Alert }) {
  const [isBusy, setBusy] = useState(false);
  if (alert.acknowledged && alert.acknowledged_at !== null) {
    const by = userNames.get(alert.acknowledged_by ?? "") ?? "somebody else of the account";
    return (
      <p className="acknowledged">
        <Icon name="check" />
        <span>
          Acknowledged by {by}
          <br />
          <Time at={alert.acknowledged_at} />
        </span>
      </p>
    );
  }
  return (
    <button
      type="button"
      className="button button-small"
      disabled={isBusy}
      aria-label={`Acknowledge: ${humanise(alert.alert_type)}, ${alert.message}`}
      onClick={async () => {
        setBusy(true);
        await onAcknowledge(alert);
        setBusy(false);
      }}
    >
      <Icon name="check" />
      Acknowledge
    </button>
  );
}
