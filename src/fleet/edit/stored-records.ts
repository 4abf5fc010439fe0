import { Failure } from "../../domain/errors.ts";
import type { Reader } from "../../store/database.ts";
import { type RevisedType, type Revision, revisionsOf } from "../../store/fleet/record-revisions.ts";
import {
  accountLine,
  alertSettingsLines,
  deviceLines,
  driverLines,
  geofenceLines,
  type Line,
  userLines,
} from "../parse/lines.ts";

export interface RecordName {
  readonly type: RevisedType;
  /** Of alert settings: the device's id, `tag:NAME` or `all`. */
  readonly id: string;
}

export interface StoredRecord {
  /** Its lines, one for each version in ascending time; none: there is no such record in the account. */
  readonly versions: readonly Line[];
  readonly revision: number;
}

/** The records as they are. An edit may have a thousand, so all of a type are read at once. */
export async function storedRecords(
  reader: Reader,
  accountId: number,
  names: readonly RecordName[],
): Promise<{ of(name: RecordName): StoredRecord }> {
  const revisions = await revisionsByType(reader, accountId, names);
  const lines = new Map<RevisedType, ReadonlyMap<string, readonly Line[]>>();
  for (const [type, own] of revisions) {
    lines.set(type, Map.groupBy(await linesOfType[type](reader, accountId, [...own.keys()]), idOfLine));
  }
  return {
    of: ({ type, id }) => ({
      versions: lines.get(type)?.get(id) ?? [],
      revision: revisions.get(type)?.get(id)?.revision ?? 1,
    }),
  };
}

export async function revisionsByType(
  reader: Reader,
  accountId: number,
  names: readonly RecordName[],
): Promise<ReadonlyMap<RevisedType, ReadonlyMap<string, Revision>>> {
  const revisions = new Map<RevisedType, ReadonlyMap<string, Revision>>();
  for (const [type, own] of Map.groupBy(names, (name) => name.type)) {
    const ids = own.map(({ id }) => id);
    revisions.set(type, await revisionsOf(reader, accountId, type, ids));
  }
  return revisions;
}

/** The record was changed since the person saw it. */
export class EditConflict extends Failure {
  readonly current: Line;
  readonly revision: number;

  constructor(current: Line, revision: number) {
    super("CONFLICT", "another person has changed this in the meantime");
    this.current = current;
    this.revision = revision;
  }
}

/** The lines of a record, unless it has another revision than the person saw; null: any revision will do. */
export async function unlessChanged(
  reader: Reader,
  accountId: number,
  name: RecordName,
  seenRevision: number | null,
): Promise<readonly Line[]> {
  const { versions, revision } = (await storedRecords(reader, accountId, [name])).of(name);
  const newest = versions.at(-1);
  if (newest === undefined) throw new Failure("NOT_FOUND", `there is no such ${name.type}`);
  if (seenRevision !== null && revision !== seenRevision) throw new EditConflict(newest, revision);
  return versions;
}

type LinesOfType = (reader: Reader, accountId: number, ids: readonly string[]) => Promise<readonly Line[]>;

const linesOfType: Readonly<Record<RevisedType, LinesOfType>> = {
  account: async (reader, accountId) => [await accountLine(reader, accountId)],
  user: userLines,
  device: deviceLines,
  driver: driverLines,
  geofence: geofenceLines,
  alert_settings: alertSettingsLines,
};

/** As a change names it. */
function idOfLine({ type, id, device_id, tag }: Line): string {
  if (type !== "alert_settings") return String(id);
  if (device_id !== undefined) return String(device_id);
  return tag === undefined ? "all" : `tag:${tag}`;
}
