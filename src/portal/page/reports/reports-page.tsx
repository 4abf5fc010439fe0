import { type ReactNode, Suspense, useId, useMemo } from "react";
import type { PlannedReportKind } from "../../both-sides/contract/planned-reports.ts";
import { daysWindow } from "../../both-sides/periods/days.ts";
import { reportPath } from "../../both-sides/periods/paths.ts";
import { alertsReport } from "../../both-sides/reports/alerts-report.ts";
import { crossingsReport, idlingReport, stopsReport } from "../../both-sides/reports/list-reports.ts";
import { mileageByDay, mileageByVehicle } from "../../both-sides/reports/mileage-report.ts";
import type { ReportScope } from "../../both-sides/reports/scope.ts";
import { maxSensorVehicles } from "../../both-sides/reports/sensors/sensor-columns.ts";
import { tripsByDriver, tripsReport } from "../../both-sides/reports/trips-report.ts";
import { getJson } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { useMedia } from "../common/elements/use-media.ts";
import { useOpenForm } from "../common/kept-forms/use-kept-form.ts";
import { loadable } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { useHeading } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { Tabs } from "../common/navigation/tabs.tsx";
import { PeriodNotice, PeriodPicker, periodTitles, usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { useChosenDevices, useDevices } from "../common/vehicles/use-devices.ts";
import { TagFilter, VehicleFilter } from "../common/vehicles/vehicle-filters.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { listReport, type ReportProps, reportViews } from "./list-report.tsx";
import { daysWords, vehicleWords } from "./scope-words.ts";
import { SensorsReport } from "./sensors/sensors-report.tsx";

const Trips = listReport(tripsReport);
const TripsAndDrivers = reportViews({ trips: Trips, drivers: listReport(tripsByDriver) }, ({ tripViews }) => tripViews);

const reports = {
  /** By driver only where trackers say who drives. */
  trips: (props: ReportProps) => (props.scope.hasDrivers ? <TripsAndDrivers {...props} /> : <Trips {...props} />),
  mileage: reportViews(
    { vehicles: listReport(mileageByVehicle), days: listReport(mileageByDay) },
    ({ mileageViews }) => mileageViews,
  ),
  stops: reportViews(
    { stops: listReport(stopsReport), idling: listReport(idlingReport) },
    ({ stopViews }) => stopViews,
  ),
  sensors: SensorsReport,
  crossings: listReport(crossingsReport),
  alerts: listReport(alertsReport),
} as const satisfies Readonly<Record<PlannedReportKind, unknown>>;

const kinds = Object.keys(reports) as PlannedReportKind[];

/** `kind`: the name of the report in the address; null: the first. */
export default function ReportsPage({ kind }: { readonly kind: string | null }) {
  const { reports: words, shell, common } = useTexts();
  const heading = useHeading(shell.reports);
  const { account } = useSession();
  const scope = useReportScope();
  const chosen = kinds.find((name) => name === kind) ?? "trips";
  const Report = reports[chosen];
  return (
    <div className="page report-page">
      <header className="report-head flex wrap">
        <h1 ref={heading} tabIndex={-1}>
          {shell.reports}
          <span className="print-only">
            : {words.kinds[chosen]} · {account.name}
          </span>
        </h1>
        <Tabs label={words.kindsLabel} current={chosen}>
          {kinds.map((name) => (
            <Link key={name} to={reportPath(name, { period: scope.period, ...scope.chosen })} current={name === chosen}>
              {words.kinds[name]}
            </Link>
          ))}
        </Tabs>
        <PlanButton kind={chosen} scope={scope} />
      </header>
      <Filters scope={scope}>
        <PeriodPicker period={scope.period} />
        <TagFilter />
        <VehicleFilter />
        {chosen === "crossings" && <FenceFilter />}
      </Filters>
      <PeriodNotice shown={periodTitles(common)[scope.period.name]} />
      <Report key={chosen} scope={scope} about={<ScopeLine scope={scope} />} />
    </div>
  );
}

/** Where the rows would be below the screen if all filters were above them. */
const narrow = matchMedia("(max-width: 760px)");

/** On a phone folded into a line that says what is chosen. */
function Filters({ scope, children }: { readonly scope: ReportScope; readonly children: ReactNode }) {
  const { common } = useTexts();
  const isNarrow = useMedia(narrow);
  const { period } = scope;
  const filters = <search className="report-filters flex align-start wrap">{children}</search>;
  if (!isNarrow) return filters;
  return (
    <details className="report-folded panel">
      <summary>
        {periodTitles(common)[period.name]} · {vehicleWords(scope, common)}
      </summary>
      {filters}
    </details>
  );
}

const SendRegularly = loadable(() => import("../planned-reports/send-regularly.tsx"));

interface PlanButtonProps {
  readonly kind: PlannedReportKind;
  readonly scope: ReportScope;
}

/** Has the report mailed as it is filtered now. A plot of sensors is of certain vehicles. */
function PlanButton({ kind, scope: { period, chosen } }: PlanButtonProps) {
  const { reports: words } = useTexts();
  const { get } = useAddress();
  const [isOpen, setOpen] = useOpenForm<true>(`send ${kind}`, () => null);
  const { tags, vehicles } = chosen;
  const isFit = kind !== "sensors" || (vehicles.length > 0 && vehicles.length <= maxSensorVehicles);
  const choice = kind === "alerts" ? get("severity") : null;
  const fence = kind === "crossings" ? get("fence") : null;
  const filters = { view: get("view"), sort: get("sort"), choice, driver: get("driver"), fence, tags, vehicles };
  return (
    <div className="download-buttons report-plan flex wrap gap-2">
      {isFit && <Button look="small" icon="mail" text={words.sendRegularly} onClick={() => setOpen(true)} />}
      <Link to="/reports/planned" className="button button-small">
        {words.planned}
      </Link>
      {isOpen && (
        <Suspense>
          <SendRegularly what={{ report: kind, filters }} period={period} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** What the report is about: on paper all of it, on the screen its days and their zone. */
function ScopeLine({ scope }: { readonly scope: ReportScope }) {
  const texts = useTexts();
  return (
    <p className="hint">
      {daysWords(scope, texts)}
      <span className="print-only"> · {vehicleWords(scope, texts.common)}</span>
    </p>
  );
}

/** One fence or all of them. The choice is in the address. */
function FenceFilter() {
  const { reports: words, show } = useTexts();
  const { get, set } = useAddress();
  const id = useId();
  const fences = [...(useFences()?.rows ?? [])].sort((one, other) => show.compare(one.name, other.name));
  const chosen = get("fence") ?? "";
  return (
    <div className="choices flex align-end wrap gap-2">
      <div>
        <label className="filter-label block fine bold" htmlFor={id}>
          {words.fence}
        </label>
        <select id={id} value={chosen} onChange={({ target }) => set({ fence: target.value || null })}>
          <option value="">{words.allFences}</option>
          {fences.map(({ geofence_id, name }) => (
            <option key={geofence_id} value={geofence_id}>
              {name}
            </option>
          ))}
          {/* One that is gone still decides what is shown. */}
          {chosen !== "" && !fences.some(({ geofence_id }) => geofence_id === chosen) && (
            <option value={chosen}>{chosen}</option>
          )}
        </select>
      </div>
    </div>
  );
}

function useReportScope(): ReportScope {
  const period = usePeriod("yesterday");
  const { account, has_drivers: hasDrivers } = useSession();
  const { time_zone: zone } = account;
  const driver = useAddress().get("driver");
  const devices = useDevices();
  const chosen = useChosenDevices();
  const { ids, isWaiting, vehicles, tags } = chosen;
  const fence = useAddress().get("fence");
  const list = useMemo(() => {
    if (isWaiting) return null;
    const [only = null] = ids?.size === 1 ? [...ids] : [];
    return { get: getJson, window: daysWindow(period.from, period.to, zone), deviceId: only, ids, driver, fence };
  }, [period, zone, ids, isWaiting, driver, fence]);
  // A new object with every load of the vehicles would read the report anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are what their texts are
  const sameList = useMemo(
    () => list,
    [list === null, period, zone, vehicles.join(), tags.join(), ids?.size, driver, fence],
  );
  return { period, zone, devices, chosen, hasDrivers, list: sameList };
}
