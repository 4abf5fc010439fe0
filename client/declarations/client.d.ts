import { type BackfillQuery, type BackfillType } from "./backfill.ts";
import type { Change, Known, RecordType } from "./changes.ts";
import { type ChangeBatch, type FollowOptions, type FollowQuery } from "./follow.ts";
import type { ClientOptions } from "./options.ts";
import { type Page, Pages } from "./pages.ts";
import { type Quota } from "./quota.ts";
import { type CallOptions } from "./transport.ts";
import type * as Odograph from "./types/index.ts";
import { type WatchOptions } from "./watch.ts";
/** One device, by either of its names. */
export type OneDevice = {
    readonly device_id: string;
    readonly imei?: undefined;
} | {
    readonly imei: string;
    readonly device_id?: undefined;
};
/** Reads a fleet. Methods have the names of the operations in the API's description. */
export declare class OdographClient {
    #private;
    constructor(options: ClientOptions);
    /** What the last answer said of the key's limits; null before the first. */
    get quota(): Quota | null;
    /** Who calls: the account, the user, the key, and what is left of its limits. The first call of an integration. */
    getMe(options?: CallOptions): Promise<Odograph.Caller>;
    listDevices(query?: Odograph.ListDevicesQuery, options?: CallOptions): Pages<Odograph.Device>;
    /** By its id or its IMEI. */
    getDevice(device: string, options?: CallOptions): Promise<Odograph.Device>;
    getDeviceAlertSettings(device: string, options?: CallOptions): Promise<Odograph.AlertSettings>;
    listDeviceGeofences(device: string, options?: CallOptions & Odograph.ListDeviceGeofencesQuery): Promise<Odograph.AssignedGeofence[]>;
    listLatestPositions(query?: Odograph.ListLatestPositionsQuery, options?: CallOptions): Pages<Odograph.LatestPosition>;
    /** The live positions, at once and whenever they have changed. */
    watchLatestPositions(query?: Odograph.ListLatestPositionsQuery, options?: WatchOptions): AsyncGenerator<Odograph.LatestPosition[], void, undefined>;
    listPositionHistory(query: Odograph.ListPositionHistoryQuery & OneDevice, options?: CallOptions): Pages<Odograph.Position>;
    /** Where each device was at a time: its last valid position by then. */
    listPositionsAt(query: Odograph.ListPositionsAtQuery, options?: CallOptions): Pages<Odograph.PositionAt>;
    listStops(query?: Odograph.ListStopsQuery, options?: CallOptions): Pages<Odograph.Stop>;
    listTrips(query?: Odograph.ListTripsQuery, options?: CallOptions): Pages<Odograph.Trip>;
    listAlerts(query?: Odograph.ListAlertsQuery, options?: CallOptions): Pages<Odograph.Alert>;
    /** The kind decides which fields a reading has. */
    listSensorReadings<Kind extends Odograph.SensorKind>(kind: Kind, query?: Odograph.ListSensorReadingsQuery, options?: CallOptions): Pages<Extract<Odograph.SensorReading, {
        kind: Kind;
    }>>;
    listGeofences(query?: Odograph.ListGeofencesQuery, options?: CallOptions): Pages<Odograph.Geofence>;
    listGeofenceEvents(query?: Odograph.ListGeofenceEventsQuery, options?: CallOptions): Pages<Odograph.GeofenceEvent>;
    /** Those with names first, then tags that nobody has named. */
    listDrivers(query?: Odograph.ListDriversQuery, options?: CallOptions): Pages<Odograph.Driver>;
    listUsers(query?: Odograph.ListUsersQuery, options?: CallOptions): Pages<Odograph.User>;
    getUser(user: string, options?: CallOptions): Promise<Odograph.User>;
    /** One row per device and day of the account's time zone. The report is one page, however long. */
    reportMileage(query?: Odograph.ReportMileageQuery, options?: CallOptions): Promise<Page<Odograph.MileageRow>>;
    /** What devices, tags, drivers or the whole fleet drove by day, week, month or in all. */
    reportMileageSums(query?: Odograph.ReportMileageSumsQuery, options?: CallOptions): Pages<Odograph.MileageSums>;
    /** Once through what has changed. To stay in step with a fleet, use `follow()`. */
    listChanges<Type extends RecordType = RecordType>(query?: FollowQuery<Type>, options?: CallOptions): Pages<Change<Type>>;
    /**
     * What becomes known, is corrected or is withdrawn, in batches, until the loop is left or the signal ends it. Store the
     * `resumeAfter` of each batch with what you made of it, and begin with it next time.
     */
    follow<Type extends RecordType = RecordType>(query?: FollowQuery<Type>, options?: FollowOptions): AsyncGenerator<ChangeBatch<Type>, void, undefined>;
    /**
     * What the lists show since `from`, one by one, in the form of changes: for the start of `follow()`, and for a device
     * that has come into sight. A record may come twice.
     */
    backfill<Type extends BackfillType = BackfillType>(query: BackfillQuery<Type>, options?: CallOptions): AsyncGenerator<Known<Type>, void, undefined>;
}
