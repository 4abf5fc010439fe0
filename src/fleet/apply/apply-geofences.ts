import { boundingBox } from "../../domain/geometry/bounding-box.ts";
import { fromTheBeginning, type Version, versionInForce } from "../../domain/versions.ts";
import { inEachAccount } from "../../store/each-account.ts";
import { removedDeviceNumbers } from "../../store/fleet/geofence-list.ts";
import {
  fenceShape,
  type GeofenceMember,
  type GeofenceRow,
  type GeofenceVersionRow,
  geofenceMembers,
  geofencesById,
  geofenceVersions,
  saveGeofences,
  saveGeofenceVersion,
} from "../../store/fleet/geofence-writes.ts";
import { changedFields } from "../consequences/changed-records.ts";
import type { FenceChange } from "../consequences/live-containment.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import type { RecordOf } from "../parse/records.ts";
import { DoesNotFit, requirePlainName } from "../parse/reference.ts";
import { accountNumber } from "./apply-accounts.ts";
import {
  type AccountNumbers,
  type ApplyContext,
  byId,
  type DirectoryById,
  emptyTally,
  idsOf,
  numbersOf,
  type Tally,
} from "./context.ts";
import { type NewVersion, newVersions } from "./history.ts";

/** A fence's shape and devices: the content of a version. */
type Geofence = RecordOf<"geofence">;

interface FenceContent
  extends Pick<GeofenceVersionRow, "shape" | "geometry_json" | "radius_m" | "width_m" | "bbox_json"> {
  readonly devices: readonly number[];
}

export async function applyGeofences(
  { tx, file, now, onProgress, consequences }: ApplyContext,
  accounts: AccountNumbers,
  devices: DirectoryById,
): Promise<Tally> {
  const tally = emptyTally();
  const linesById = Map.groupBy(file.geofences, ({ record }) => record.id);
  const stored = byId(await geofencesById(tx, linesById.keys()));
  const storedVersions = await inEachAccount(stored.values(), (accountId, own) =>
    geofenceVersions(tx, accountId, idsOf(own)),
  );
  const storedMembers = await inEachAccount(stored.values(), (accountId, own) =>
    geofenceMembers(tx, accountId, idsOf(own)),
  );
  const versions = Map.groupBy(storedVersions, (row) => row.geofence_id);
  const members = Map.groupBy(storedMembers, (row) => row.geofence_id);
  const removed = new Map<number, ReadonlySet<number>>();
  for (const account of new Set(accounts.values())) removed.set(account, await removedDeviceNumbers(tx, account));

  let done = 0;
  for (const [id, lines] of linesById) {
    const newest = newestOf(lines);
    const account_id = accountNumber(accounts, newest.record.account_id);
    const before = stored.get(id);
    if (before && before.account_id !== account_id) {
      throw new DoesNotFit(newest.line, "account_id", "this geofence belongs to another account, and cannot move");
    }
    requirePlainName(newest.line, newest.record.name, before);
    const own = { members: members.get(id) ?? [], versions: versions.get(id) ?? [] };
    const versionsBefore = storedHistory(own.versions, own.members);
    const isHidden = (device: number) => removed.get(account_id)?.has(device) ?? false;
    // A line cannot name a removed device, and so says nothing about it: if it is put back, it is still in the fence.
    const hiddenAt = (at: number) =>
      file.hiddenMembers?.get(id) ?? versionInForce(versionsBefore, at)?.content.devices.filter(isHidden) ?? [];
    const edits = lines.map(({ line, record }) => {
      const at = record.valid_from ?? (lines.length > 1 ? fromTheBeginning : now);
      return { content: contentOf(line, record, account_id, devices, hiddenAt(at)), validFrom: record.valid_from };
    });
    const { toSave, outcome, history } = newVersions(versionsBefore, edits, now, sameContent);

    const { name, description, color } = newest.record;
    const isRenamed = before?.name !== name || before.description !== description || before.color !== color;
    const isSaved = isRenamed || before.removed_at !== null || toSave.length > 0;
    if (isSaved) {
      const fields = before === undefined ? null : fenceFields(before, newest.record, toSave);
      const rows = before && { rows: { before, after: { name, description, color } } };
      const saved = toSave.at(-1);
      const logged = before && {
        logged: {
          before: { color: before.color, ...inShort(saved?.before ?? null) },
          after: { color, ...inShort(saved?.content ?? null) },
        },
      };
      consequences.changed.note({
        type: "geofence",
        accountId: account_id,
        id,
        line: newest.line,
        fields,
        ...rows,
        ...logged,
      });
      // Not even `updated_at` may say that it was given to another vehicle: all who see the fence would notice that one.
      const isShown = isRenamed || before.removed_at !== null || toSave.some(isOtherShape);
      if (isShown) await saveGeofences(tx, [{ account_id, id, name, description, color }], now);
      consequences.changedFleets.add(account_id);
      const assigned = isShown ? [...numbersOf(own.members), ...toSave.flatMap(devicesIn)] : toSave.flatMap(reassigned);
      const seen = assigned.filter((device) => !isHidden(device));
      consequences.records(account_id).fenceSaved(id, seen, before !== undefined && before.name !== name);
    }
    const deriveAgain = (devices: readonly number[], from: number) => {
      for (const device of devices) consequences.deriveAgain({ accountId: account_id, device }, from);
    };
    // A name has no history, and alerts contain it.
    if (before !== undefined && before.name !== name) deriveAgain(numbersOf(own.members), fromTheBeginning);
    if (toSave.length > 0) {
      const after = history.map(forContainment);
      consequences.fenceChanged(account_id, { fenceId: id, before: versionsBefore.map(forContainment), after });
    }
    for (const { validFrom, content, holdsFrom, before: replaced } of toSave) {
      const { devices: numbers, ...shape } = content;
      deriveAgain([...numbers, ...(replaced?.devices ?? [])], holdsFrom);
      const version = { account_id, geofence_id: id, valid_from: validFrom, ...shape };
      await saveGeofenceVersion(tx, version, withAssignedAt(numbers, own.members, now), now);
    }
    tally[outcome === "unchanged" && isRenamed ? "changed" : outcome]++;
    if (++done % 100 === 0 || done === linesById.size) onProgress("storing geofences", done, linesById.size);
  }
  return tally;
}

/** Where a fence is and how many vehicles it has, for the audit log. */
function inShort(content: FenceContent | null) {
  if (content === null) return {};
  const { bbox_json, radius_m, width_m, devices } = content;
  const [west, south, east, north] = (JSON.parse(bbox_json) as number[]).map((degrees) => degrees.toFixed(5));
  const metres = radius_m ?? width_m;
  const geometry = `${south}–${north}, ${west}–${east}${metres === null ? "" : `, ${metres} m`}`;
  return { geometry, device_ids: String(devices.length) };
}

function fenceFields(
  before: GeofenceRow,
  { name, description, color }: Geofence,
  versions: readonly NewVersion<FenceContent>[],
): string[] {
  const fields = changedFields(before, { name, description, color });
  if (versions.some((version) => version.before?.devices.join() !== version.content.devices.join())) {
    fields.push("device_ids");
  }
  if (versions.some(isOtherShape)) fields.push("geometry");
  return fields;
}

function isOtherShape({ before, content }: NewVersion<FenceContent>): boolean {
  return before === null || !sameContent({ ...before, devices: content.devices }, content);
}

function devicesIn({ content }: NewVersion<FenceContent>): readonly number[] {
  return content.devices;
}

/** Those that the fence has from then on, or has no more. */
function reassigned({ before, content }: NewVersion<FenceContent>): number[] {
  return [...new Set(content.devices).symmetricDifference(new Set(before?.devices))];
}

/** The line that says what the fence is called now. */
function newestOf(lines: readonly OnLine<Geofence>[]): OnLine<Geofence> {
  const began = ({ record }: OnLine<Geofence>) => record.valid_from ?? Number.NEGATIVE_INFINITY;
  return lines.reduce((newest, line) => (began(line) >= began(newest) ? line : newest));
}

function contentOf(
  line: number,
  fence: Geofence,
  accountId: number,
  devices: DirectoryById,
  hidden: readonly number[],
): FenceContent {
  const numbers = fence.device_ids.map((id, index) => {
    const entry = devices.get(id);
    if (entry?.account_id !== accountId) {
      throw new DoesNotFit(
        line,
        `device_ids[${index}]`,
        `expected the id of a device of the fence's account, got "${id}"`,
      );
    }
    return entry.device;
  });
  return {
    shape: fence.shape,
    geometry_json: JSON.stringify(fence.geometry),
    radius_m: fence.radiusM,
    width_m: fence.widthM,
    bbox_json: JSON.stringify(boundingBox(fence)),
    devices: [...new Set([...numbers, ...hidden])].sort((one, other) => one - other),
  };
}

function storedHistory(
  versions: readonly GeofenceVersionRow[],
  members: readonly GeofenceMember[],
): Version<FenceContent>[] {
  const byVersion = Map.groupBy(members, (member) => member.valid_from);
  return versions.map(({ valid_from, shape, geometry_json, radius_m, width_m, bbox_json }) => {
    const devices = numbersOf(byVersion.get(valid_from) ?? []).sort((one, other) => one - other);
    return { validFrom: valid_from, content: { shape, geometry_json, radius_m, width_m, bbox_json, devices } };
  });
}

function forContainment({ validFrom, content }: Version<FenceContent>): FenceChange["after"][number] {
  return { validFrom, content: { shape: fenceShape(content), devices: new Set(content.devices) } };
}

function sameContent(one: FenceContent, other: FenceContent): boolean {
  return (
    one.geometry_json === other.geometry_json &&
    one.shape === other.shape &&
    one.radius_m === other.radius_m &&
    one.width_m === other.width_m &&
    one.devices.join() === other.devices.join()
  );
}

/** A device that the fence had before keeps the time it was assigned. */
function withAssignedAt(
  devices: readonly number[],
  before: readonly GeofenceMember[],
  now: number,
): { device: number; assigned_at: number }[] {
  const since = new Map(before.map((member) => [member.device, member.assigned_at]));
  return devices.map((device) => ({ device, assigned_at: since.get(device) ?? now }));
}
