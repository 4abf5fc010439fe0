import { useEffect, useRef, useState } from "react";
import type { DevicesById } from "../api/devices.ts";
import type { Alert } from "../api/records.ts";
import { useClock, useNow } from "../common/clock.ts";
import { capitalised, formatDuration, humanise } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { errorWords } from "../common/notice.tsx";
import { Link } from "../common/route.tsx";
import { Time } from "../common/time.tsx";
import { dayOf } from "../playback/day.ts";
import { useTexts } from "../texts/use-texts.ts";
import { rowsAtOnce } from "./load-alerts.ts";
import { SeverityBadge } from "./severity-badge.tsx";
import type { PeopleById } from "./use-people.ts";

interface AlertListProps {
  readonly alerts: readonly Alert[];
  readonly devices: DevicesById | null;
  readonly people: PeopleById;
  /** Whether there are alerts before those that were loaded. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly onOlder: () => void;
  /** Rejects with the error to show. */
  readonly onAcknowledge: (alert: Alert) => Promise<void>;
}

export function AlertList(props: AlertListProps) {
  const { alerts, devices, people, hasOlder, isLoadingOlder, onOlder, onAcknowledge } = props;
  const [rows, setRows] = useState(rowsAtOnce);
  const now = useNow(30_000);
  const isUtc = useClock() === "utc";
  const isAllShown = alerts.length <= rows;
  const showMore = () => {
    setRows(rows + rowsAtOnce);
    if (isAllShown) onOlder();
  };
  return (
    <>
      <ul className="alerts">
        {alerts.slice(0, rows).map((alert) => (
          <li key={alert.alert_id} className={`alert alert-${alert.severity}`} data-alert={alert.alert_type}>
            <SeverityBadge severity={alert.severity} />
            <div className="alert-what">
              <h2>{humanise(alert.alert_type)}</h2>
              {saysMore(alert) && <p>{capitalised(alert.message)}</p>}
            </div>
            <p className="alert-vehicle">
              <Link to={`/map/${alert.device_id}?day=${dayOf(Date.parse(alert.occurred_at), isUtc)}`}>
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
              <Acknowledged alert={alert} people={people} onAcknowledge={onAcknowledge} />
            </div>
          </li>
        ))}
      </ul>
      {(!isAllShown || hasOlder) && (
        <button type="button" className="button button-wide" disabled={isLoadingOlder} onClick={showMore}>
          {isLoadingOlder ? "Loading…" : "Show more"}
        </button>
      )}
    </>
  );
}

/** The message of some alerts is only their type. */
function saysMore({ alert_type, message }: Alert): boolean {
  return message.toLowerCase() !== humanise(alert_type).toLowerCase();
}

function Duration({ alert, now }: { readonly alert: Alert; readonly now: number }) {
  if (alert.ended_at === null) return <Time at={alert.occurred_at} now={now} />;
  const seconds = (Date.parse(alert.ended_at) - Date.parse(alert.occurred_at)) / 1000;
  return seconds < 60 ? <Time at={alert.occurred_at} now={now} /> : <>for {formatDuration(seconds)}</>;
}

function Acknowledged({
  alert,
  people,
  onAcknowledge,
}: Pick<AlertListProps, "people" | "onAcknowledge"> & { alert: Alert }) {
  const texts = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const wasPressed = useRef(false);
  const done = useRef<HTMLParagraphElement>(null);
  // The button disappears when it is pressed; the keyboard goes on from here.
  useEffect(() => {
    if (wasPressed.current && alert.acknowledged) done.current?.focus();
  }, [alert.acknowledged]);
  if (alert.acknowledged && alert.acknowledged_at !== null) {
    const by = people.get(alert.acknowledged_by ?? "") ?? "…";
    return (
      <p ref={done} className="acknowledged" tabIndex={-1}>
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
    <>
      <button
        type="button"
        className="button button-small"
        // Not disabled: the button would lose the focus, and may have to be pressed again.
        aria-disabled={isBusy}
        aria-label={`Acknowledge: ${humanise(alert.alert_type)}, ${alert.message}`}
        onClick={async () => {
          if (isBusy) return;
          wasPressed.current = true;
          setBusy(true);
          setFailure(null);
          await onAcknowledge(alert).catch(setFailure);
          setBusy(false);
        }}
      >
        <Icon name="check" />
        Acknowledge
      </button>
      {failure !== null && (
        <p className="problem" role="alert">
          {errorWords(failure, texts)}
        </p>
      )}
    </>
  );
}
