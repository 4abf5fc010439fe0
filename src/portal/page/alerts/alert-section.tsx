import { type MouseEvent, memo, useEffect, useId, useRef } from "react";
import { alertSentence, typeWords } from "../../both-sides/alerts/alert-words.ts";
import type { Alert, Device, Severity } from "../../both-sides/contract/data.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import type { Fences } from "../../both-sides/places/nearest-fence.ts";
import { frameHasPlace } from "../../both-sides/places/place-name.ts";
import type { DevicesById } from "../../both-sides/vehicles/devices.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { errorWords } from "../common/loading/error-words.ts";
import { Link } from "../common/navigation/route.tsx";
import { useNow } from "../common/reading/clock.ts";
import { Time } from "../common/reading/time.tsx";
import { useListedPlace } from "../places/place.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
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
  /** All of the type and the day of this one, and of its severity. Rejects with the error to show. */
  readonly onAcknowledgeDay: (alert: Alert) => Promise<void>;
  /** Whether there are more than those that are shown. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
}

export function AlertSection(props: AlertSectionProps) {
  const { severity, rows, count, devices, people, arrived, selected, onSelect, onAcknowledge } = props;
  const { alerts: words, common, show } = useTexts();
  const now = useNow(30_000);
  const fences = useFences();
  const id = useId();
  const several = firstOfSeveral(rows, show.zone);
  return (
    <section className="alert-section column gap-3" aria-labelledby={id} data-severity={severity}>
      <h2 id={id} className={`severity-${severity} row gap-2`}>
        <SeveritySign severity={severity} />
        {words.severities[severity]}
        <span className="quiet">{count}</span>
      </h2>
      <ul className="alerts column gap-2">
        {rows.map((alert) => (
          <AlertRow
            key={alert.alert_id}
            alert={alert}
            device={devices?.get(alert.device_id)}
            by={alert.acknowledged_by === null ? undefined : people.get(alert.acknowledged_by)}
            fences={fences}
            isNew={arrived.has(alert.alert_id)}
            isSelected={selected.has(alert.alert_id)}
            now={now}
            onSelect={onSelect}
            onAcknowledge={onAcknowledge}
            onAcknowledgeDay={several.has(alert.alert_id) ? props.onAcknowledgeDay : null}
          />
        ))}
      </ul>
      {props.hasMore && (
        <Button
          look="wide"
          text={
            props.isLoadingMore ? `${common.loading}…` : `${common.showMore} (${show.number(rows.length)} / ${count})`
          }
          isBusy={props.isLoadingMore}
          onClick={props.onMore}
        />
      )}
    </section>
  );
}

/** The newest open one of each type and day of which there are several. Pure. */
function firstOfSeveral(rows: readonly Alert[], zone: string): ReadonlySet<string> {
  const open = rows.filter(({ acknowledged }) => !acknowledged);
  const groups = Map.groupBy(open, (row) => `${row.alert_type} ${dayAt(Date.parse(row.occurred_at), zone)}`);
  return new Set([...groups.values()].flatMap(([first, second]) => (first && second ? [first.alert_id] : [])));
}

/** Whether an open alert is as much of a nuisance as another. Pure. */
export function isOfTypeAndDay(row: Alert, { alert_type, severity, occurred_at }: Alert, zone: string): boolean {
  const day = (at: string) => dayAt(Date.parse(at), zone);
  const isSame = row.alert_type === alert_type && row.severity === severity;
  return isSame && !row.acknowledged && day(row.occurred_at) === day(occurred_at);
}

export interface AlertRowProps {
  readonly alert: Alert;
  readonly device: Device | undefined;
  readonly by: string | undefined;
  readonly fences: Fences | null;
  readonly isNew: boolean;
  readonly isSelected: boolean;
  readonly now: number;
  /** With `isRange`, everything between this one and the one selected before. */
  readonly onSelect: (id: string, isRange: boolean) => void;
  /** Rejects with the error to show. */
  readonly onAcknowledge: (alert: Alert) => Promise<void>;
  /** Null: it is the only one, or another row offers it. */
  readonly onAcknowledgeDay: ((alert: Alert) => Promise<void>) | null;
}

/** Rendered again only if something of its own has changed: there may be hundreds. */
const AlertRow = memo(function AlertRow(props: AlertRowProps) {
  const { alert, device, by, fences, isNew, isSelected, now, onSelect, onAcknowledge, onAcknowledgeDay } = props;
  const { alerts: words, common, show } = useTexts();
  // An alert of a fence names it. To ask a geocoder for hundreds of rows would take minutes.
  const at = alert.alert_type.startsWith("geofence_") || !frameHasPlace(alert) ? null : alert;
  const place = useListedPlace(at, fences, { isPassing: true });
  const type = typeWords(alert.alert_type, words);
  const sentence = alertSentence(alert, words, show);
  const vehicle = device?.name ?? common.vehicle;
  const time = show.time(Date.parse(alert.occurred_at), "minute");
  return (
    <li className={`alert alert-${alert.severity}`} data-alert={alert.alert_type}>
      {alert.acknowledged ? (
        <div />
      ) : (
        <label className="alert-select grid">
          <input
            type="checkbox"
            aria-label={words.select(type, vehicle, time)}
            checked={isSelected}
            onChange={() => {}}
            onClick={(event: MouseEvent) => onSelect(alert.alert_id, event.shiftKey)}
          />
        </label>
      )}
      <div className="alert-what break fit">
        <h3 className="row wrap gap-2">
          <Link to={`/map/${alert.device_id}?at=${alert.occurred_at}`}>
            <span aria-hidden="true">{type}</span>
            <span className="visually-hidden">{words.showOnMap(type, vehicle, time)}</span>
          </Link>
          {isNew && <span className="badge alert-new">{words.isNew}</span>}
        </h3>
        {sentence !== null && <p>{sentence}</p>}
      </div>
      <p className="alert-vehicle grid break fit">
        <Link to={`/map?vehicle=${alert.device_id}`}>{vehicle}</Link>
        <span className="hint">{[device?.plate, place].filter(Boolean).join(" · ")}</span>
      </p>
      <p className="alert-when grid break fit">
        <Time at={alert.occurred_at} />
        <span className="hint">
          <Lasting alert={alert} now={now} />
        </span>
      </p>
      <div className="alert-state grid gap-1">
        <Acknowledged alert={alert} by={by} name={words.acknowledgeOne(type, vehicle)} onAcknowledge={onAcknowledge} />
        {onAcknowledgeDay !== null && !alert.acknowledged && (
          <AcknowledgeDay
            text={words.allOfDay(type, show.time(Date.parse(alert.occurred_at), "date"))}
            work={() => onAcknowledgeDay(alert)}
          />
        )}
      </div>
    </li>
  );
});

/** How long it lasted; of what was over in a moment, how long ago it was. */
function Lasting({ alert, now }: { readonly alert: Alert; readonly now: number }) {
  const { alerts: words, show } = useTexts();
  if (alert.ended_at === null) return words.lastsStill;
  const seconds = (Date.parse(alert.ended_at) - Date.parse(alert.occurred_at)) / 1000;
  return seconds < 60 ? <Time at={alert.occurred_at} now={now} /> : words.lasted(show.duration(seconds));
}

interface AcknowledgedProps extends Pick<AlertRowProps, "alert" | "by" | "onAcknowledge"> {
  /** What the button does, for those who do not see the row around it. */
  readonly name: string;
}

function Acknowledged({ alert, by, name, onAcknowledge }: AcknowledgedProps) {
  const texts = useTexts();
  const { alerts: words } = texts;
  const { submit, error, isBusy } = useSubmit();
  const wasPressed = useRef(false);
  const done = useRef<HTMLParagraphElement>(null);
  // The button disappears when it is pressed; the keyboard goes on from here.
  useEffect(() => {
    if (wasPressed.current && alert.acknowledged) done.current?.focus();
  }, [alert.acknowledged]);
  if (alert.acknowledged && alert.acknowledged_at !== null) {
    return (
      <p ref={done} className="acknowledged flex gap-2 break hint" tabIndex={-1}>
        <Icon name="check" />
        <span>
          {words.acknowledgedBy(by ?? "…")}
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
        aria-label={name}
        onClick={() => {
          wasPressed.current = true;
          if (!isBusy) submit(() => onAcknowledge(alert));
        }}
      >
        <Icon name="check" />
        {words.acknowledge}
      </button>
      {error !== null && (
        <p className="problem" role="alert">
          {errorWords(error, texts)}
        </p>
      )}
    </>
  );
}

interface AcknowledgeDayProps {
  readonly text: string;
  readonly work: () => Promise<void>;
}

function AcknowledgeDay({ text, work }: AcknowledgeDayProps) {
  const texts = useTexts();
  const { submit, error, isBusy } = useSubmit();
  return (
    <>
      <button
        type="button"
        className="link-button alert-day"
        aria-disabled={isBusy}
        onClick={() => !isBusy && submit(work)}
      >
        {text}
      </button>
      {error !== null && (
        <p className="problem" role="alert">
          {errorWords(error, texts)}
        </p>
      )}
    </>
  );
}
