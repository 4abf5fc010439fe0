import type {
  PlannedReportKind,
  PlannedReportRecord,
  ReportMailRecord,
} from "../../both-sides/contract/planned-reports.ts";
import { reportTitle } from "../../both-sides/reports/report-title.ts";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { Time } from "../common/reading/time.tsx";
import { useSession } from "../common/session.ts";
import { MailStateNote } from "../notifications/mail-list.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useFilterWords } from "./use-filter-words.ts";

export interface PlanActions {
  readonly onRun: () => void;
  readonly onChange: () => void;
  readonly onPause: () => void;
  readonly onRemove: () => void;
  readonly onReceive: (isStopped: boolean) => void;
}

interface PlanRowProps extends PlanActions {
  readonly plan: PlannedReportRecord;
  /** The newest of it; null: there was none. */
  readonly last: ReportMailRecord | null;
  /** To whom nothing is mailed until they have confirmed their address. */
  readonly unconfirmed: ReadonlySet<string>;
}

const noFilters = { view: null, sort: null, choice: null, driver: null, fence: null, tags: [], vehicles: [] };

export function PlanRow({ plan, last, unconfirmed, ...actions }: PlanRowProps) {
  const texts = useAdministrationTexts();
  const { plannedReports: words, show } = texts;
  const filters = useFilterWords(plan.filters ?? noFilters);
  const isPaused = plan.next_at === null;
  const people = plan.people.map(({ user_id, name, stopped_at }) => {
    if (stopped_at !== null) return words.unsubscribed(name);
    return unconfirmed.has(user_id) ? texts.notifications.unconfirmed(name) : name;
  });
  return (
    <li className="person-card">
      <span className="avatar" aria-hidden="true">
        <Icon name="report" />
      </span>
      <div className="person-who">
        <h2>
          {plan.name} {isPaused && <span className="badge badge-expired">{words.paused}</span>}
        </h2>
        <p className="quiet">{reportTitle(plan.report as PlannedReportKind, plan.filters?.view ?? null, texts)}</p>
        <p className="hint">{plan.filters === null ? words.byOwner : filters}</p>
      </div>
      <dl className="person-facts">
        <div>
          <dt>{words.when}</dt>
          <dd>
            <span>
              {words.cadence[plan.cadence]}, {words.atHour(show.time(plan.hour * 3_600_000, "time", "UTC"))}
            </span>
            {plan.next_at !== null && (
              <span className="quiet">{words.next(show.time(Date.parse(plan.next_at), "minute"))}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.to}</dt>
          <dd>{people.join(", ")}</dd>
        </div>
        <div>
          <dt>{words.last}</dt>
          <dd>
            {last === null ? (
              words.never
            ) : (
              <>
                <Time at={last.done_at ?? last.created_at} /> <MailStateNote mail={last} />
              </>
            )}
          </dd>
        </div>
      </dl>
      <PlanButtons plan={plan} isPaused={isPaused} {...actions} />
    </li>
  );
}

interface PlanButtonsProps extends PlanActions {
  readonly plan: PlannedReportRecord;
  readonly isPaused: boolean;
}

/** Who only gets it says whether they want it. */
function PlanButtons({ plan, isPaused, onRun, onChange, onPause, onRemove, onReceive }: PlanButtonsProps) {
  const { plannedReports: words } = useAdministrationTexts();
  const { user } = useSession();
  const { name, may_change: mayChange } = plan;
  const own = plan.people.find(({ user_id }) => user_id === user.user_id);
  const isStopped = own !== undefined && own.stopped_at !== null;
  return (
    <div className="row-actions">
      {isStopped && <Button look="small" text={words.getAgain} onClick={() => onReceive(false)} />}
      {own && !isStopped && !mayChange && (
        <Button look="small" text={words.stopForMe} onClick={() => onReceive(true)} />
      )}
      {mayChange && (
        <>
          <Button look="small" text={words.runNow} aria-label={words.runWhich(name)} onClick={onRun} />
          <Button look="small" text={words.change} aria-label={words.changeWhich(name)} onClick={onChange} />
          <Button
            look="small"
            text={isPaused ? words.resume : words.pause}
            aria-label={(isPaused ? words.resumeWhich : words.pauseWhich)(name)}
            onClick={onPause}
          />
          <Button look="small danger" text={words.remove} aria-label={words.removeWhich(name)} onClick={onRemove} />
        </>
      )}
    </div>
  );
}
