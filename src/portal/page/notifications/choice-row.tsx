import { bySeverity, typeWords } from "../../both-sides/alerts/alert-words.ts";
import type { NotificationRecord } from "../../both-sides/contract/notifications.ts";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { useSession } from "../common/session.ts";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { FeedList } from "./feed-list.tsx";
import { severitiesOfTypes } from "./feed-words.ts";

/** What is due is sent within seconds, unless the mail server takes nothing. */
const overdueMs = 60_000;

interface ChoiceRowProps {
  readonly choice: NotificationRecord;
  /** Where several people's are listed. */
  readonly isNamed: boolean;
  /** Whether nothing is mailed until the person has confirmed the address. */
  readonly needsConfirmation: boolean;
  readonly onChange: () => void;
  readonly onPause: () => void;
  readonly onRemove: () => void;
}

/** How many are named before "…". */
const fewNames = 4;

export function ChoiceRow({ choice, isNamed, needsConfirmation, onChange, onPause, onRemove }: ChoiceRowProps) {
  const { notifications: words, alerts, common, show } = useAdministrationTexts();
  const devices = useDevices();
  const { alert_types, severities, tags, device_ids, waiting, stopped_at } = choice;
  const types = alert_types === null ? words.allAlerts : few(alert_types.map((type) => typeWords(type, alerts)));
  // Of certain types it is known which they have.
  const ofTypes = alert_types && severitiesOfTypes(alert_types, choice.feeds.rules);
  const wanted = severities === null ? ofTypes : new Set(severities);
  const severityWords =
    wanted &&
    bySeverity
      .filter((one) => wanted.has(one))
      .map((one) => alerts.severities[one])
      .join(", ");
  const title = severityWords === null ? types : `${types} (${severityWords})`;
  const named = [
    ...(tags ?? []),
    ...(device_ids ?? []).flatMap((id) => devices?.get(id)?.name ?? []).sort(show.compare),
  ];
  const vehicles = tags === null && device_ids === null ? common.allVehicles : few(named);
  const quiet =
    choice.quiet_from === null || choice.quiet_until === null
      ? words.noQuiet
      : words.quietFromTo(choice.quiet_from, choice.quiet_until);
  const isStopped = stopped_at !== null;
  const isUnsubscribed = choice.is_unsubscribed;
  const isOwn = choice.user_id === useSession().user.user_id;
  return (
    <li className="person-card">
      <span className="avatar" aria-hidden="true">
        <Icon name="mail" />
      </span>
      <div className="person-who">
        <h2>
          {title}{" "}
          {isStopped && (
            <span className="badge badge-expired">{isUnsubscribed ? words.unsubscribed : words.stopped}</span>
          )}
        </h2>
        {isNamed && (
          <p className="quiet">
            {words.whom(needsConfirmation ? words.unconfirmed(choice.user_name) : choice.user_name)}
          </p>
        )}
        {isUnsubscribed && (
          <p className="hint">{isOwn ? words.youUnsubscribed : words.hasUnsubscribed(choice.user_name)}</p>
        )}
        {isStopped && !isUnsubscribed && (
          <p className="hint">{words.stoppedSince(show.time(Date.parse(stopped_at), "minute"))}</p>
        )}
        {waiting !== null && (
          <p className="hint">
            {Date.parse(waiting.due_at) < Date.now() - overdueMs
              ? words.waitingForServer(waiting.alerts, show.number(waiting.alerts))
              : words.waiting(
                  waiting.alerts,
                  show.number(waiting.alerts),
                  show.time(Date.parse(waiting.due_at), "minute"),
                )}
            {waiting.held !== null && `: ${words.held[waiting.held]}`}
          </p>
        )}
      </div>
      <dl className="person-facts">
        <div>
          <dt>{words.vehicles}</dt>
          <dd>{vehicles}</dd>
        </div>
        <div>
          <dt>{words.when}</dt>
          <dd>
            <span>{words.pacing[choice.pacing]}</span>
            {choice.tells_end && <span className="quiet">{words.andEnd}</span>}
          </dd>
        </div>
        <div>
          <dt>{words.quiet}</dt>
          <dd>
            <span>{quiet}</span>
            {choice.time_zone !== null && <span className="quiet">{choice.time_zone.replaceAll("_", " ")}</span>}
          </dd>
        </div>
        {!isStopped && (
          <div className="person-fact-wide">
            <dt>{words.feeds.title}</dt>
            <dd>
              <FeedList wanted={choice} feeds={choice.feeds} />
            </dd>
          </div>
        )}
      </dl>
      <div className="row-actions">
        <Button look="small" text={words.change} aria-label={words.changeWhich(title)} onClick={onChange} />
        {(isOwn || !isUnsubscribed) && (
          <Button
            look="small"
            text={isStopped ? words.resume : words.pause}
            aria-label={(isStopped ? words.resumeWhich : words.pauseWhich)(title)}
            onClick={onPause}
          />
        )}
        <Button look="small danger" text={words.remove} aria-label={words.removeWhich(title)} onClick={onRemove} />
      </div>
    </li>
  );
}

function few(names: readonly string[]): string {
  return names.slice(0, fewNames).join(", ") + (names.length > fewNames ? " …" : "");
}
