import type { Known, RecordType } from "./changes.ts";
import { type Time } from "./time.ts";
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
/** What the lists show, in the form of changes. */
export declare function backfill<Type extends BackfillType>(reader: Reader, { from, types, device_id: deviceId }: BackfillQuery<Type>): AsyncGenerator<Known<Type>, void, undefined>;
export {};
