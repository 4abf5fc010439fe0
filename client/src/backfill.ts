import type { Known, RecordByType, RecordType } from "./changes.ts";
import { isFailure } from "./errors.ts";
import { millisecondsOf, type Time } from "./time.ts";

/** What a list shows with the id that changes have. Positions and readings have none there. */
export type BackfillType = Exclude<RecordType, "position" | "reading">;

export interface BackfillQuery<Type extends BackfillType = BackfillType> {
  /** How far back, for what has a time. */
  readonly from: Time;
  /** Default: all that the key's scopes grant. */
  readonly types?: readonly Type[] | undefined;
  /** Only what belongs to this device; geofences and users, which belong to none, are then left out. It may bring drivers into sight. */
  readonly device_id?: string | undefined;
}

interface Reader {
  list<Row>(path: string, query: object): AsyncIterable<Row>;
  single<Row>(path: string): Promise<Row>;
}

type Source<Type extends BackfillType> = (
  reader: Reader,
  query: { readonly fromMs: number; readonly deviceId: string | undefined },
) => AsyncIterable<RecordByType[Type]>;

interface Entry<Type extends BackfillType> {
  readonly read: Source<Type>;
  readonly idOf: (record: RecordByType[Type]) => string;
}

const dayMs = 86_400_000;
const largestPage = 500;

/** In the order in which they are read: what others refer to comes first. */
const entries: { readonly [Type in BackfillType]: Entry<Type> } = {
  user: { read: unlessOneDevice("/users"), idOf: (user) => user.user_id },
  geofence: { read: unlessOneDevice("/geofences"), idOf: (fence) => fence.geofence_id },
  // A tag that nobody has named is its own id.
  driver: {
    read: (reader) => reader.list("/drivers", { limit: largestPage }),
    idOf: ({ id, driver_ids: [tag = ""] }) => id ?? tag,
  },
  device: { read: devices, idOf: (device) => device.device_id },
  alert_settings: { read: alertSettings, idOf: (settings) => settings.device_id },
  trip: { read: inWindows("/trips", 31), idOf: (trip) => trip.trip_id },
  stop: { read: inWindows("/stops", 31), idOf: (stop) => stop.stop_id },
  geofence_event: { read: inWindows("/geofence-events", 31), idOf: (event) => event.event_id },
  alert: { read: inWindows("/alerts", 31), idOf: (alert) => alert.alert_id },
  mileage: { read: inWindows("/reports/mileage", 366), idOf: (row) => `${row.device_id}/${row.date}` },
};

const allTypes = Object.keys(entries) as BackfillType[];

/** What the lists show, in the form of changes. */
export async function* backfill<Type extends BackfillType>(
  reader: Reader,
  { from, types, device_id: deviceId }: BackfillQuery<Type>,
): AsyncGenerator<Known<Type>, void, undefined> {
  const fromMs = millisecondsOf(from);
  for (const type of allTypes.filter((each) => !types || types.includes(each as Type))) {
    const { read, idOf } = entries[type] as Entry<BackfillType>;
    try {
      for await (const record of read(reader, { fromMs, deviceId })) {
        const device_id = "device_id" in record ? record.device_id : null;
        yield { type, change: "put", id: idOf(record), device_id, record } as Known<Type>;
      }
    } catch (error) {
      // A device that has gone out of sight meanwhile has no past either.
      if (deviceId !== undefined && isFailure(error, "NOT_FOUND")) return;
      // As with `follow()`: what is not asked for by name need not be granted.
      if (types || !isFailure(error, "INSUFFICIENT_SCOPE")) throw error;
    }
  }
}

const maxDaysOfPages = 31;

function unlessOneDevice<Type extends "user" | "geofence">(path: string): Source<Type> {
  return async function* (reader, { deviceId }) {
    if (deviceId === undefined) yield* reader.list(path, { limit: largestPage });
  };
}

/** Windows that are longer than allowed would be shortened, so the time is read window by window. */
function inWindows<Type extends BackfillType>(path: string, maxDays: number): Source<Type> {
  return async function* (reader, { fromMs, deviceId }) {
    // The report of mileage, whose window is longest, has no pages.
    const filters = { device_id: deviceId, ...(maxDays <= maxDaysOfPages && { limit: largestPage }) };
    let ms = fromMs;
    for (; ms + maxDays * dayMs < Date.now(); ms += maxDays * dayMs)
      yield* reader.list(path, { ...filters, from: new Date(ms), to: new Date(ms + maxDays * dayMs) });
    // To the moment at which it is read.
    yield* reader.list(path, { ...filters, from: new Date(ms) });
  };
}

async function* devices(
  reader: Reader,
  { deviceId }: { readonly deviceId: string | undefined },
): AsyncGenerator<RecordByType["device"], void, undefined> {
  if (deviceId === undefined) yield* reader.list("/devices", { limit: largestPage });
  else yield await reader.single<RecordByType["device"]>(`/devices/${encodeURIComponent(deviceId)}`);
}

/** One call for each device. */
async function* alertSettings(
  reader: Reader,
  query: { readonly deviceId: string | undefined },
): AsyncGenerator<RecordByType["alert_settings"], void, undefined> {
  for await (const { device_id: id } of devices(reader, query)) {
    const path = `/devices/${encodeURIComponent(id)}/alert-settings`;
    const settings = await reader.single<RecordByType["alert_settings"]>(path).catch((error: unknown) => {
      if (isFailure(error, "NOT_FOUND")) return null;
      throw error;
    });
    if (settings) yield settings;
  }
}
