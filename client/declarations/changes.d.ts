import type * as Odograph from "./types/index.ts";
/** Which record a type of change is about: exactly what its list shows. */
export interface RecordByType {
    readonly device: Odograph.Device;
    readonly position: Odograph.Position;
    readonly trip: Odograph.Trip;
    readonly stop: Odograph.Stop;
    readonly alert: Odograph.Alert;
    readonly reading: Odograph.SensorReading;
    readonly geofence: Odograph.Geofence;
    readonly geofence_event: Odograph.GeofenceEvent;
    readonly mileage: Odograph.MileageRow;
    readonly user: Odograph.User;
    readonly alert_settings: Odograph.AlertSettings;
    readonly driver: Odograph.Driver;
}
export type RecordType = keyof RecordByType;
interface Named<Type extends RecordType> {
    readonly type: Type;
    /** With the type, it identifies the record: what has the same one replaces what you have. */
    readonly id: string;
    /** Null for what belongs to no device: geofences, users and drivers. */
    readonly device_id: string | null;
}
/** A record that is new, or has become another. */
export interface Put<Type extends RecordType> extends Named<Type> {
    readonly change: "put";
    readonly record: RecordByType[Type];
}
/** A record that is no longer there, or no longer visible. */
export interface Removed<Type extends RecordType> extends Named<Type> {
    readonly change: "removed";
    readonly record: null;
}
/** Branch on `type` and `change`, and `record` is typed. */
export type Change<Type extends RecordType = RecordType> = {
    readonly [Each in Type]: (Put<Each> | Removed<Each>) & {
        readonly changed_at: string;
    };
}[Type];
/** A record as a list shows it, in the form of a change. */
export type Known<Type extends RecordType = RecordType> = {
    readonly [Each in Type]: Put<Each>;
}[Type];
export {};
