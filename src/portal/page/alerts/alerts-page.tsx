import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { to } from "../../both-sides/address.ts";
import { bySeverity } from "../../both-sides/alerts/alert-words.ts";
import type { Alert, Severity } from "../../both-sides/contract/data.ts";
import { dayAt } from "../../both-sides/periods/days.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { EmptyState, ErrorNotice, LoadingState, Notice } from "../common/loading/notice.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { PeriodNotice, periodTitles, usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { SelectionBar, useSelection } from "../common/tables/selection.tsx";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { AlertFilter } from "./alert-filter.ts";
import { AlertFilterFields } from "./alert-filters.tsx";
import { AlertSection, isOfTypeAndDay } from "./alert-section.tsx";
import { type AlertsSoFar, rowsAtOnce, rowsOfLanes, withoutAlerts, withRow } from "./lanes.ts";
import { alertFeed, useCounts } from "./open-alert-count.tsx";
import { maxDays, useAlertFilter } from "./use-alert-filter.ts";
import { useAlerts } from "./use-alerts.ts";
import { useLookedAt } from "./use-looked-at.ts";
import { usePeople } from "./use-people.ts";

type Limits = Readonly<Partial<Record<Severity, number>>>;
const noLimits: Limits = {};

/** Alerts to be worked through: the most serious first, new ones as they become known. */
export default function AlertsPage() {
  const { alerts: words, common, shell, show } = useTexts();
  const { set } = useAddress();
  const { user } = useSession();
  const filter = useAlertFilter();
  const [failure, setFailure] = useState<unknown>(null);
  const onArrived = (count: number) => announce(words.newOnes(count, show.number(count)));
  const listed = useAlerts(filter, setFailure, onArrived);
  const { loaded, reload, replace, loadOlder, loadingOlder, arrived, feedError } = listed;
  const counts = useCounts(filter);
  useLookedAt(filter, loaded.state === "ready", arrived.size);
  const devices = useDevices();
  const [limits, setLimits] = useState(noLimits);
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<{ readonly count: number } | null>(null);
  const doneNotice = useRef<HTMLDivElement>(null);
  // What was selected is gone, and the button with it; the keyboard goes on from here.
  useEffect(() => {
    if (done !== null) doneNotice.current?.focus();
  }, [done]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => {
    setLimits(noLimits);
    setDone(null);
  }, [filter]);

  const sections = useMemo(
    () =>
      bySeverity.flatMap((severity) => {
        const lane = filter?.severities.includes(severity) ? loaded.data?.[severity] : undefined;
        if (lane === undefined || (lane.rows.length === 0 && lane.olderThan === null)) return [];
        return [{ severity, lane, rows: lane.rows.slice(0, limits[severity] ?? rowsAtOnce) }];
      }),
    [loaded.data, filter, limits],
  );
  const shown = useMemo(() => sections.flatMap(({ rows }) => rows), [sections]);
  const open = useMemo(
    () => shown.filter(({ acknowledged }) => !acknowledged).map(({ alert_id }) => alert_id),
    [shown],
  );
  const selection = useSelection(open);
  const people = usePeople(shown);

  const acknowledge = useCallback(
    async (alert: Alert) => {
      const acknowledged = await acknowledgeOne(alert);
      replace((lanes) => withRow(lanes, acknowledged));
      announce(words.acknowledgedOne);
      alertFeed.refresh();
    },
    [replace, words],
  );
  const acknowledgeSelected = async () => {
    setBusy(true);
    setFailure(null);
    let count = 0;
    try {
      await acknowledgeMany([...selection.ids], (ids) => {
        count += ids.length;
        // A list of open alerts gets shorter; the work that is left moves up.
        replace((lanes) => withoutAlerts(lanes, new Set(ids)));
      });
    } catch (error) {
      setFailure(error);
    }
    if (filter?.state !== "open") reload();
    setBusy(false);
    if (count > 0) setDone({ count });
    alertFeed.refresh();
  };
  const acknowledgeDay = async (alert: Alert) => {
    const { zone } = show;
    const day = dayAt(Date.parse(alert.occurred_at), zone);
    const { alert_type, severity } = alert;
    const device_ids = filter?.vehicles ? [...filter.vehicles] : null;
    const { acknowledged_now: count } = await send("POST /alerts/acknowledge-day", {
      alert_type,
      severity,
      day,
      device_ids,
    });
    if (filter?.state === "open") {
      const ids = rowsOfLanes(loaded.data ?? {})
        .filter((row) => isOfTypeAndDay(row, alert, zone))
        .map(({ alert_id }) => alert_id);
      replace((lanes) => withoutAlerts(lanes, new Set(ids)));
    } else reload();
    setDone({ count });
    alertFeed.refresh();
  };
  const showMore = (severity: Severity, lane: AlertsSoFar) => {
    const limit = (limits[severity] ?? rowsAtOnce) + rowsAtOnce;
    setLimits({ ...limits, [severity]: limit });
    if (lane.rows.length < limit && lane.olderThan !== null) void loadOlder(severity);
  };
  // What was acknowledged together leaves room for the older ones.
  const short = sections.find(
    ({ severity, lane }) => lane.olderThan !== null && lane.rows.length < (limits[severity] ?? rowsAtOnce),
  )?.severity;
  const isReady = loaded.state === "ready" && filter !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that is too short
  useEffect(() => {
    if (short !== undefined && isReady && loadingOlder === null && failure === null) void loadOlder(short);
  }, [short, isReady, loadingOlder, loaded.data]);

  return (
    <div className="page alerts-page">
      <PageHead title={shell.alerts}>
        <p className="alerts-live row gap-2 hint" data-live={feedError === null}>
          {feedError === null ? common.live : words.notLive}
        </p>
        <div className="button-row">
          {user.role === "owner" && (
            <Link to="/fleet/rules" className="button button-small">
              {shell.rules}
            </Link>
          )}
          <Link to="/notifications" className="button button-small">
            <Icon name="mail" />
            {shell.notifications}
          </Link>
        </div>
      </PageHead>
      <AlertFilterFields counts={counts} />
      <UnknownPeriod />
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {failure !== null && <ErrorNotice error={failure} />}
      {done !== null && (
        <div ref={doneNotice} tabIndex={-1} role="status" className="done-notice">
          <Notice kind="success">
            <p>{words.acknowledgedCount(done.count, show.number(done.count))}</p>
            {filter?.state === "open" && (
              <Button look="small" text={words.showThem} onClick={() => set({ state: "acknowledged" })} />
            )}
          </Notice>
        </div>
      )}
      {(filter === null || (loaded.state === "loading" && shown.length === 0)) && (
        <LoadingState label={words.loading} />
      )}
      {isReady && sections.length === 0 && <NoAlerts filter={filter} />}
      {open.length > 0 && (
        <SelectionBar selection={selection} words={words}>
          <Button
            look="primary small"
            icon="check"
            text={isBusy ? words.acknowledging : words.acknowledgeCount(show.number(selection.ids.size))}
            aria-disabled={isBusy}
            onClick={() => !isBusy && acknowledgeSelected()}
          />
        </SelectionBar>
      )}
      {sections.map(({ severity, lane, rows }) => (
        <AlertSection
          key={severity}
          severity={severity}
          rows={rows}
          count={countWords(severity, lane)}
          devices={devices}
          people={people}
          arrived={arrived}
          selected={selection.ids}
          onSelect={selection.toggle}
          onAcknowledge={acknowledge}
          onAcknowledgeDay={acknowledgeDay}
          hasMore={lane.rows.length > rows.length || lane.olderThan !== null}
          isLoadingMore={loadingOlder === severity || loaded.state === "loading"}
          onMore={() => showMore(severity, lane)}
        />
      ))}
    </div>
  );

  /** All of them, or as many as are loaded and a plus. */
  function countWords(severity: Severity, { rows, olderThan }: AlertsSoFar): string {
    if (olderThan === null) return show.number(rows.length);
    const counted = counts?.data[severity];
    if (counted === undefined || counts === null) return `${show.number(rows.length)}+`;
    return counted >= counts.max ? `${show.number(counts.max)}+` : show.number(counted);
  }
}

function UnknownPeriod() {
  const { common } = useTexts();
  const { name } = usePeriod("week", maxDays);
  return <PeriodNotice shown={periodTitles(common)[name]} maxDays={maxDays} />;
}

/** The most that the server takes at once. */
const maxAtOnce = 500;

/** The alert as it is now: acknowledged by this person, or by a person before. */
async function acknowledgeOne(alert: Alert): Promise<Alert> {
  const { data } = await send(to("POST /alerts/{alert_id}/acknowledge", { alert_id: alert.alert_id }));
  const { acknowledged_at, acknowledged_by } = data;
  return { ...alert, acknowledged: true, acknowledged_at, acknowledged_by };
}

/** The ids of those that are acknowledged now. Calls `onDone` after each part: what failed later is still open. */
async function acknowledgeMany(ids: readonly string[], onDone: (ids: readonly string[]) => void): Promise<void> {
  for (let start = 0; start < ids.length; start += maxAtOnce) {
    const alert_ids = ids.slice(start, start + maxAtOnce);
    const { data } = await send("POST /alerts/acknowledge", { alert_ids });
    onDone(data.map(({ alert_id }) => alert_id));
  }
}

const noFilters = { severity: null, type: null, state: null, vehicle: null, tag: null };
const noPeriod = { period: null, from: null, to: null };

/** Why there is nothing to see, and where there may be something. */
function NoAlerts({ filter }: { readonly filter: AlertFilter }) {
  const { alerts: words, common } = useTexts();
  const { set, get } = useAddress();
  const { role } = useSession().user;
  const isWhole = get("period") === null && get("from") === null;
  if (filter.alertType !== "" || filter.vehicles !== null) {
    return (
      <EmptyState icon="bell" title={words.nothingFits}>
        <Button text={common.clearFilters} onClick={() => set({ ...noFilters, ...noPeriod })} />
      </EmptyState>
    );
  }
  if (isWhole && filter.state === "all" && filter.severities.length === 3) {
    return (
      <EmptyState icon="bell" title={words.noneAtAll}>
        <p>{role === "owner" ? words.fromRules : `${words.fromRules} ${words.ownerSetsRules}`}</p>
        {role === "owner" && (
          <Link to="/fleet/rules" className="button">
            {words.changeRules}
          </Link>
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="bell" title={words.nothingOpen}>
      <p>{words.nothingOpenText}</p>
      <Button
        text={words.showAll}
        onClick={() => set({ ...noFilters, ...noPeriod, state: "all", severity: "critical,warning,info" })}
      />
    </EmptyState>
  );
}
