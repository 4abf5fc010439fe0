import { Background } from "../../derive/pace.ts";
import type { ReportDays, ReportFilters } from "../../domain/notifications/planned-report.ts";
import { type UserVisibility, visibilityOf } from "../../domain/visibility.ts";
import { deviceIdentity } from "../../store/fleet/devices.ts";
import { hasDrivers } from "../../store/fleet/drivers.ts";
import { visibleGeofence } from "../../store/fleet/geofences.ts";
import type { NotifiablePerson } from "../../store/notifications/people.ts";
import { filtersOf, type PlannedReportRow } from "../../store/notifications/planned-reports.ts";
import { daysWindow } from "../both-sides/periods/days.ts";
import { reportPath } from "../both-sides/periods/paths.ts";
import { noDriver } from "../both-sides/reports/drivers.ts";
import { type ReportKind, reportTitle } from "../both-sides/reports/report-title.ts";
import type { ReadyScope } from "../both-sides/reports/scope.ts";
import { type DevicesById, devicesWith, loadDevices } from "../both-sides/vehicles/devices.ts";
import type { Letter } from "../mail/compose.ts";
import { placeNamer, type StreetName } from "../mail/place-namer.ts";
import { type MailReader, readerOf } from "../mail/reader.ts";
import type { MailerDeps } from "../mail-queue/letter-kind.ts";
import { reportLetter } from "./report-letter.ts";
import { makers, reportKinds, viewsOf } from "./reports.ts";
import { sensorTables } from "./sensor-tables.ts";
import { type ViewerDeps, viewerGet } from "./viewer-get.ts";

export type LetterDeps = MailerDeps & ViewerDeps;

export interface LetterRequest {
  readonly plan: PlannedReportRow;
  readonly person: NotifiablePerson;
  readonly days: ReportDays;
  readonly unsubscribeUrl: string;
  readonly now: number;
  readonly stop: AbortSignal;
}

interface MadeLetter {
  readonly letter: Letter;
  readonly rowCount: number;
}

/** As many streets as the page asks for, and no longer than this: a geocoder answers one question after the other. */
const maxStreets = 500;
const maxStreetsMs = 20_000;

/** The report as this person would see it now, in their language; null: they see none of its vehicles, or not its fence. */
export async function makeLetter(deps: LetterDeps, request: LetterRequest): Promise<MadeLetter | null> {
  const { database } = deps;
  const { plan, person, days, now, stop } = request;
  const kind = reportKinds.find((known) => known === plan.report);
  if (kind === undefined) throw new Error(`there is no report ${plan.report}`);
  const filters = filtersOf(plan);
  const visibility = visibilityOf({ accountId: plan.account_id, id: person.id, role: person.role });
  const reader = await readerOf(database, plan.account_id, person, person.time_zone);
  const scope = await scopeOf(deps, visibility, filters, { days, zone: person.time_zone, now, stop });
  if (scope.list.ids?.size === 0) return null;
  const fence = filters.fence === null ? null : await visibleGeofence(database, visibility, filters.fence);
  // An empty report would say that nothing crossed any fence.
  if (filters.fence !== null && fence === null) return null;
  const view = viewOf(kind, filters, scope.hasDrivers);
  const namePlace = await placeNamer(database, visibility, fewStreets(deps.streetName), reader);
  const made = { scope, filters: { ...filters, view }, reader, namePlace, pace: new Background(stop), stop };
  const maker = kind === "sensors" ? null : makers[kind][view ?? viewsOf(kind)[0] ?? ""];
  const tables = maker ? [await maker(made)] : await sensorTables(made);
  const rowCount = tables.reduce((sum, table) => sum + table.rowCount, 0);
  const known: ReportFilters = {
    ...filters,
    view,
    // A person who sees no trip of a driver does not learn the name from a filter.
    driver: visibility.sees === "account" || rowCount > 0 ? filters.driver : null,
  };
  const path = reportPath(kind, { period: scope.period, ...scope.chosen }, addressOf(kind, known));
  const content = {
    name: plan.name,
    title: reportTitle(kind, view, reader.texts),
    days,
    about: aboutOf(known, fence?.name ?? null, scope, reader),
    tables,
    accountName: person.account_name,
    accountZone: person.time_zone,
    reportUrl: `${deps.publicUrl}/portal${path}`,
    plansUrl: `${deps.publicUrl}/portal/reports/planned`,
    unsubscribeUrl: request.unsubscribeUrl,
  };
  return { letter: reportLetter(content, reader), rowCount };
}

/** Null: the first, which is not named in an address. */
function viewOf(kind: ReportKind, { view }: ReportFilters, withDrivers: boolean): string | null {
  const [first, ...others] = viewsOf(kind);
  const known = [first, ...others].find((name) => name === view) ?? null;
  return known === first || (kind === "trips" && !withDrivers) ? null : known;
}

/** What else of a report is in its address. */
function addressOf(kind: ReportKind, { view, sort, choice, driver, fence }: ReportFilters): Record<string, string> {
  const severity = kind === "alerts" ? choice : null;
  const all = { view, sort, driver, fence, severity };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

interface ScopeRequest {
  readonly days: ReportDays;
  readonly zone: string;
  readonly now: number;
  readonly stop: AbortSignal;
}

/** What the person sees of the vehicles that were chosen. */
async function scopeOf(
  deps: LetterDeps,
  visibility: UserVisibility,
  { tags, vehicles, driver, fence }: ReportFilters,
  { days, zone, now, stop }: ScopeRequest,
): Promise<ReadyScope> {
  const { database } = deps;
  const get = viewerGet(deps, visibility, now);
  const devices = await loadDevices(get, stop);
  const seen: string[] = [];
  for (const id of vehicles) {
    // A large fleet has more vehicles than are loaded.
    if (devices.has(id) || (await deviceIdentity(database, visibility, { id })) !== null) seen.push(id);
  }
  const named = vehicles.length === 0 ? null : new Set(seen);
  const isUnseen = named?.size === 0;
  const ids = tags.length === 0 || isUnseen ? named : devicesWith(devices, tags, seen);
  const [only = null] = ids?.size === 1 ? [...ids] : [];
  return {
    period: { name: "days", ...days },
    zone,
    devices,
    chosen: { tags: tags.filter((tag) => isWorn(tag, devices)), vehicles: seen, ids, isWaiting: false },
    hasDrivers: await hasDrivers(database, visibility.accountId),
    list: { get, window: daysWindow(days.from, days.to, zone), deviceId: only, ids, driver, fence },
  };
}

/** What was chosen, in words. */
function aboutOf(
  { choice, driver }: ReportFilters,
  fenceName: string | null,
  { chosen, devices }: ReadyScope,
  { texts: { common, reports, alerts } }: MailReader,
): string[] {
  const vehicles = chosen.vehicles.flatMap((id) => devices?.get(id)?.name ?? []);
  const severities: Readonly<Record<string, string>> = alerts.severities;
  return [
    ...(vehicles.length === 0 ? [common.allVehicles] : vehicles),
    ...chosen.tags.map((tag) => `${common.tag}: ${tag}`),
    ...(fenceName === null ? [] : [`${reports.fence}: ${fenceName}`]),
    ...(driver === null ? [] : [driver === noDriver ? reports.noDriver : reports.onlyDriver(driver)]),
    ...(choice === null ? [] : [severities[choice] ?? choice]),
  ];
}

/** Whether the person sees a vehicle with the tag. */
function isWorn(tag: string, devices: DevicesById): boolean {
  return [...devices.values()].some(({ tags }) => tags.includes(tag));
}

function fewStreets(streetName: StreetName): StreetName {
  const until = performance.now() + maxStreetsMs;
  let left = maxStreets;
  return async (latitude, longitude) =>
    left-- > 0 && performance.now() < until ? streetName(latitude, longitude) : null;
}
