import { useId } from "react";
import type { DevicesById } from "../api/devices.ts";
import type { Alert, Severity } from "../api/records.ts";
import { useNow } from "../common/reading/clock.ts";
import { hasPlace, placeName } from "../places/place-name.ts";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AlertRow, type AlertRowProps } from "./alert-row.tsx";
import { SeveritySign } from "./severity-sign.tsx";
import type { PeopleById } from "./use-people.ts";

interface AlertSectionProps extends Pick<AlertRowProps, "onSelect" | "onAcknowledge"> {
  readonly severity: Severity;
  readonly rows: readonly Alert[];
  /** How many there are, as far as anybody knows. */
  readonly count: string;
  readonly devices: DevicesById | null;
  readonly people: PeopleById;
  readonly arrived: ReadonlySet<string>;
  readonly selected: ReadonlySet<string>;
  /** Whether there are more than those that are shown. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
}

export function AlertSection(props: AlertSectionProps) {
  const { severity, rows, count, devices, people, arrived, selected, onSelect, onAcknowledge } = props;
  const texts = useTexts();
  const { alerts: words, common, show } = texts;
  const now = useNow(30_000);
  const fences = useFences();
  /** By fences alone: to ask a geocoder for hundreds of rows would take minutes. */
  const placeOf = (alert: Alert) => {
    if (fences === null || !hasPlace(alert) || alert.alert_type.startsWith("geofence_")) return null;
    return placeName(alert, fences.find, show, texts);
  };
  const id = useId();
  return (
    <section className="alert-section" aria-labelledby={id} data-severity={severity}>
      <h2 id={id} className={`severity-${severity}`}>
        <SeveritySign severity={severity} />
        {words.severities[severity]}
        <span className="quiet">{count}</span>
      </h2>
      <ul className="alerts">
        {rows.map((alert) => (
          <AlertRow
            key={alert.alert_id}
            alert={alert}
            device={devices?.get(alert.device_id)}
            by={alert.acknowledged_by === null ? undefined : people.get(alert.acknowledged_by)}
            place={placeOf(alert)}
            isNew={arrived.has(alert.alert_id)}
            isSelected={selected.has(alert.alert_id)}
            now={now}
            onSelect={onSelect}
            onAcknowledge={onAcknowledge}
          />
        ))}
      </ul>
      {props.hasMore && (
        <button type="button" className="button button-wide" disabled={props.isLoadingMore} onClick={props.onMore}>
          {props.isLoadingMore ? `${common.loading}…` : `${common.showMore} (${show.number(rows.length)} / ${count})`}
        </button>
      )}
    </section>
  );
}
