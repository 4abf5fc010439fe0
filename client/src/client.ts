import { type BackfillQuery, type BackfillType, backfill } from "./backfill.ts";
import type { Change, Known, RecordType } from "./changes.ts";
import { type ChangeBatch, type FollowOptions, type FollowQuery, followChanges } from "./follow.ts";
import type { ClientOptions } from "./options.ts";
import { type Page, Pages, windowOf } from "./pages.ts";
import { type Quota, quotaOf } from "./quota.ts";
import { type CallOptions, createTransport, type Query, type Send } from "./transport.ts";
import type * as Odograph from "./types/index.ts";
import { type WatchOptions, watchLatest } from "./watch.ts";

/** One device, by either of its names. */
export type OneDevice =
  | { readonly device_id: string; readonly imei?: undefined }
  | { readonly imei: string; readonly device_id?: undefined };

/** Reads a fleet. Methods have the names of the operations in the API's description. */
export class OdographClient {
  readonly #send: Send;
  #quota: Quota | null = null;

  constructor(options: ClientOptions) {
    this.#send = createTransport(options, (headers) => {
      this.#quota = quotaOf(headers) ?? this.#quota;
    });
  }

  /** What the last answer said of the key's limits; null before the first. */
  get quota(): Quota | null {
    return this.#quota;
  }

  /** Who calls: the account, the user, the key, and what is left of its limits. The first call of an integration. */
  getMe(options: CallOptions = {}): Promise<Odograph.Caller> {
    return this.#single("/me", options);
  }

  listDevices(query: Odograph.ListDevicesQuery = {}, options: CallOptions = {}): Pages<Odograph.Device> {
    return this.#list("/devices", query, options);
  }

  /** By its id or its IMEI. */
  getDevice(device: string, options: CallOptions = {}): Promise<Odograph.Device> {
    return this.#single(`/devices/${encodeURIComponent(device)}`, options);
  }

  getDeviceAlertSettings(device: string, options: CallOptions = {}): Promise<Odograph.AlertSettings> {
    return this.#single(`/devices/${encodeURIComponent(device)}/alert-settings`, options);
  }

  async listDeviceGeofences(
    device: string,
    options: CallOptions & Odograph.ListDeviceGeofencesQuery = {},
  ): Promise<Odograph.AssignedGeofence[]> {
    const path = `/devices/${encodeURIComponent(device)}/geofences`;
    const { signal, ...query } = options;
    return (await this.#page<Odograph.AssignedGeofence>(path, query, { signal })).data;
  }

  listLatestPositions(
    query: Odograph.ListLatestPositionsQuery = {},
    options: CallOptions = {},
  ): Pages<Odograph.LatestPosition> {
    return this.#list("/positions/latest", query, options);
  }

  /** The live positions, at once and whenever they have changed. */
  watchLatestPositions(
    query: Odograph.ListLatestPositionsQuery = {},
    options: WatchOptions = {},
  ): AsyncGenerator<Odograph.LatestPosition[], void, undefined> {
    return watchLatest(this.#send, query, options);
  }

  listPositionHistory(
    query: Odograph.ListPositionHistoryQuery & OneDevice,
    options: CallOptions = {},
  ): Pages<Odograph.Position> {
    return this.#list("/positions/history", query, options);
  }

  /** Where each device was at a time: its last valid position by then. */
  listPositionsAt(query: Odograph.ListPositionsAtQuery, options: CallOptions = {}): Pages<Odograph.PositionAt> {
    return this.#list("/positions/at", query, options);
  }

  listStops(query: Odograph.ListStopsQuery = {}, options: CallOptions = {}): Pages<Odograph.Stop> {
    return this.#list("/stops", query, options);
  }

  listTrips(query: Odograph.ListTripsQuery = {}, options: CallOptions = {}): Pages<Odograph.Trip> {
    return this.#list("/trips", query, options);
  }

  listAlerts(query: Odograph.ListAlertsQuery = {}, options: CallOptions = {}): Pages<Odograph.Alert> {
    return this.#list("/alerts", query, options);
  }

  /** The kind decides which fields a reading has. */
  listSensorReadings<Kind extends Odograph.SensorKind>(
    kind: Kind,
    query: Odograph.ListSensorReadingsQuery = {},
    options: CallOptions = {},
  ): Pages<Extract<Odograph.SensorReading, { kind: Kind }>> {
    return this.#list(`/sensors/${encodeURIComponent(kind)}`, query, options);
  }

  listGeofences(query: Odograph.ListGeofencesQuery = {}, options: CallOptions = {}): Pages<Odograph.Geofence> {
    return this.#list("/geofences", query, options);
  }

  listGeofenceEvents(
    query: Odograph.ListGeofenceEventsQuery = {},
    options: CallOptions = {},
  ): Pages<Odograph.GeofenceEvent> {
    return this.#list("/geofence-events", query, options);
  }

  /** Those with names first, then tags that nobody has named. */
  listDrivers(query: Odograph.ListDriversQuery = {}, options: CallOptions = {}): Pages<Odograph.Driver> {
    return this.#list("/drivers", query, options);
  }

  listUsers(query: Odograph.ListUsersQuery = {}, options: CallOptions = {}): Pages<Odograph.User> {
    return this.#list("/users", query, options);
  }

  getUser(user: string, options: CallOptions = {}): Promise<Odograph.User> {
    return this.#single(`/users/${encodeURIComponent(user)}`, options);
  }

  /** One row per device and day of the account's time zone. The report is one page, however long. */
  reportMileage(
    query: Odograph.ReportMileageQuery = {},
    options: CallOptions = {},
  ): Promise<Page<Odograph.MileageRow>> {
    return this.#page("/reports/mileage", query, options);
  }

  /** What devices, tags, drivers or the whole fleet drove by day, week, month or in all. */
  reportMileageSums(
    query: Odograph.ReportMileageSumsQuery = {},
    options: CallOptions = {},
  ): Pages<Odograph.MileageSums> {
    return this.#list("/reports/mileage/sums", query, options);
  }

  /** Once through what has changed. To stay in step with a fleet, use `follow()`. */
  listChanges<Type extends RecordType = RecordType>(
    query: FollowQuery<Type> = {},
    options: CallOptions = {},
  ): Pages<Change<Type>> {
    return this.#list("/changes", query, options);
  }

  /**
   * What becomes known, is corrected or is withdrawn, in batches, until the loop is left or the signal ends it. Store the
   * `resumeAfter` of each batch with what you made of it, and begin with it next time.
   */
  follow<Type extends RecordType = RecordType>(
    query: FollowQuery<Type> = {},
    options: FollowOptions = {},
  ): AsyncGenerator<ChangeBatch<Type>, void, undefined> {
    return followChanges(this.#send, query, options);
  }

  /**
   * What the lists show since `from`, one by one, in the form of changes: for the start of `follow()`, and for a device
   * that has come into sight. A record may come twice.
   */
  backfill<Type extends BackfillType = BackfillType>(
    query: BackfillQuery<Type>,
    options: CallOptions = {},
  ): AsyncGenerator<Known<Type>, void, undefined> {
    const list = <Row>(path: string, words: object) => this.#list<Row>(path, words, options);
    const single = <Row>(path: string) => this.#single<Row>(path, options);
    return backfill({ list, single }, query);
  }

  #list<Row>(path: string, query: Query, options: CallOptions): Pages<Row> {
    return new Pages((cursor) => this.#page(path, cursor === null ? query : { ...query, cursor }, options));
  }

  async #page<Row>(path: string, query: Query, options: CallOptions): Promise<Page<Row>> {
    const { body, headers } = await this.#send(path, query, options);
    const { data, ...rest } = body as { data: Row[]; next_cursor: string | null; resume_after?: string };
    return { data, nextCursor: rest.next_cursor, window: windowOf(headers), resumeAfter: rest.resume_after ?? null };
  }

  async #single<Row>(path: string, options: CallOptions): Promise<Row> {
    return ((await this.#send(path, {}, options)).body as { data: Row }).data;
  }
}
