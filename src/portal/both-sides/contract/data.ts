import type * as Records from "../../../../client/src/types/index.ts";
import type { Call, List, One, Streamed } from "./envelopes.ts";

/** The records of the API, written from its description. */
export type {
  Alert,
  Device,
  Geofence,
  GeofenceEvent,
  LatestPosition,
  MileageRow,
  Position,
  SensorReading,
  Severity,
  Stop,
  Trip,
} from "../../../../client/src/types/index.ts";

export interface DataRoutes {
  /** What the API answers at /v1/…, as the person sees it. */
  "GET /data/*": Call<Streamed>;
  /** All vehicles' newest positions at once, as the API has them; of very many, from `cursor` on. */
  "GET /live-positions": Call<Streamed>;
  "GET /download/{list}": Call<Streamed>;
}

/** What the page reads of the API: its lists, by their paths there. A test holds them to its description. */
export interface DataLists {
  devices: Records.Device;
  "positions/latest": Records.LatestPosition;
  "positions/history": Records.Position;
  trips: Records.Trip;
  stops: Records.Stop;
  alerts: Records.Alert;
  "sensors/{kind}": Records.SensorReading;
  geofences: Records.Geofence;
  "geofence-events": Records.GeofenceEvent;
  "reports/mileage": Records.MileageRow;
}

export type ListName = keyof DataLists;

export interface Page<Item> extends List<Item> {
  readonly next_cursor: string | null;
}

/** The same as routes of the portal. */
export type ListRoutes = { [Name in ListName as `GET /data/${Name}`]: Call<Page<DataLists[Name]>> };
export type ListRoute<Name extends ListName> = `GET /data/${Name}`;

/** What else the page reads there. */
export interface OtherData {
  "GET /data/devices/{device_id}": Call<One<Records.Device>>;
  "GET /live-positions": Call<Page<Records.LatestPosition>>;
  "GET /data/changes": Call<FollowedChanges<FollowedType>>;
}

/** Of what the page follows the changes. */
interface ChangingRecords {
  position: Records.Position;
  trip: Records.Trip;
  alert: Records.Alert;
}

export type FollowedType = keyof ChangingRecords;

/** A record as it is now; null if it was withdrawn. */
export type FollowedChange<Type extends FollowedType> = {
  readonly [Each in Type]: { readonly type: Each; readonly id: string; readonly record: ChangingRecords[Each] | null };
}[Type];

export interface FollowedChanges<Type extends FollowedType> extends Page<FollowedChange<Type>> {
  readonly resume_after: string;
}
