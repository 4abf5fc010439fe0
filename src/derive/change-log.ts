import { DeviceChangeBuilder } from "../domain/changes/device-change.ts";
import { type ChangeType, mileageId, positionId, readingId, type TrackedType } from "../domain/changes/types.ts";
import type { FramePlace } from "../domain/frame.ts";
import { dateOfDay } from "../domain/time/time.ts";
import type { NewChange } from "../store/changes/change-entries.ts";
import { logChanges } from "../store/changes/changes.ts";
import { saveViewerRecords } from "../store/changes/viewer-records.ts";
import { accountViewer, nextChange, type Shown, type Sight, showSubAccounts } from "../store/changes/viewers.ts";
import type { Transaction } from "../store/database.ts";
import { type FactKind, type FactRow, rowKey } from "../store/facts/facts.ts";
import { removeReadingsAt } from "../store/frames/reading-writes.ts";
import type { TrackedContext } from "./context.ts";
import type { DeviceChanges } from "./device-changes.ts";
import { tagSightings, unreportedDrivers } from "./new-drivers.ts";

/** The type of change that each kind of fact is, and the column by which its list is ordered. */
const factTypes: Readonly<Record<FactKind, { readonly type: TrackedType; readonly time: string }>> = {
  trip: { type: "trip", time: "started_at" },
  stop: { type: "stop", time: "started_at" },
  crossing: { type: "geofence_event", time: "occurred_at" },
  alert: { type: "alert", time: "occurred_at" },
  day: { type: "mileage", time: "day" },
};

/** A device's changes as the log has them. */
export function changeOf({ tracked, added, judgedAnew, facts }: DeviceChanges): DeviceChangeBuilder {
  const change = new DeviceChangeBuilder();
  for (const { frame } of added) {
    change.add("position", frame.recordedAt);
    if (frame.sensors.length > 0) change.add("reading", frame.recordedAt);
  }
  for (const { frame } of judgedAnew) change.add("position", frame.recordedAt);
  addFacts(change, facts.toSave);
  addFacts(change, facts.toContinue);
  for (const fact of gone(facts)) change.remove(factTypes[fact.kind].type, [factId(tracked, fact)]);
  return change;
}

/** What is not saved again under its id. */
function gone({ toRemove, toSave }: DeviceChanges["facts"]): readonly FactRow[] {
  if (toRemove.length === 0 || toSave.length === 0) return toRemove;
  const saved = new Set(toSave.map(rowKey));
  return toRemove.filter((fact) => fact.kind === "day" || !saved.has(rowKey(fact)));
}

function addFacts(change: DeviceChangeBuilder, facts: readonly FactRow[]): void {
  for (const { kind, row } of facts) {
    const { type, time } = factTypes[kind];
    change.add(type, row[time] as number);
  }
}

function factId({ deviceId }: TrackedContext, { kind, row }: FactRow): string {
  return kind === "day" ? mileageId(deviceId, dateOfDay(row.day as number)) : (row.id as string);
}

/** Removes the readings of frames that leave their places, and logs it. */
export async function removeReadings(
  tx: Transaction,
  { accountId, device, deviceId }: TrackedContext,
  places: readonly FramePlace[],
  change: DeviceChangeBuilder,
): Promise<void> {
  const idOf = (place: FramePlace) => positionId(deviceId, place);
  change.remove("position", places.map(idOf));
  const readings = await removeReadingsAt(tx, { accountId, device }, places);
  change.remove(
    "reading",
    readings.flatMap(({ place, sensors }) => sensors.map(({ kind, sensor }) => readingId(idOf(place), kind, sensor))),
  );
}

/** Numbers the change and logs it. The last step, since all writers of the account's frames wait for it. */
export async function writeChangeLog(
  tx: Transaction,
  accountId: number,
  changes: readonly DeviceChanges[],
  logged: readonly DeviceChangeBuilder[],
): Promise<void> {
  const account = new SightBuilder();
  const subAccounts = new Map<string, SightBuilder>();
  const log: NewChange[] = [];
  for (const [index, change] of changes.entries()) {
    const builder = logged[index] as DeviceChangeBuilder;
    const isLive = isShown(change);
    if (builder.isEmpty && !isLive) continue;
    const { device, subAccounts: seenBy } = change.tracked;
    if (!builder.isEmpty) log.push({ device, change: builder.build(), isShared: seenBy.length > 0 });
    const types = builder.types();
    account.add(types, isLive);
    for (const userId of seenBy) {
      const sight = subAccounts.get(userId) ?? new SightBuilder();
      subAccounts.set(userId, sight.add(types, isLive));
    }
  }
  if (!account.isAny) return;
  const sightings = tagSightings(changes);
  const newDrivers = await unreportedDrivers(tx, accountId, sightings);
  for (const { user_id } of newDrivers) {
    if (user_id === accountViewer) account.add(["driver"], false);
    else subAccounts.get(user_id)?.add(["driver"], false);
  }
  const number = await nextChange(tx, accountId, account);
  await showSubAccounts(tx, accountId, number, subAccounts);
  const now = Date.now();
  await logChanges(tx, accountId, number, now, log);
  if (newDrivers.length === 0) return;
  // Whose a tag is may have changed until the number was taken. From then on others wait.
  const drivers = await unreportedDrivers(tx, accountId, sightings);
  const change = { account_id: accountId, type: "driver", number, changed_at: now, removed: false } as const;
  await saveViewerRecords(
    tx,
    drivers.map((driver) => ({ ...change, ...driver })),
  );
}

/** What one viewer sees of the changes of several devices. */
class SightBuilder implements Sight {
  shown: Shown = "neither";
  isAny = false;
  readonly about = new Set<ChangeType>();

  add(types: readonly ChangeType[], isLive: boolean): this {
    this.isAny = true;
    if (isLive) this.shown = "live positions";
    for (const type of types) this.about.add(type);
    return this;
  }
}

/** Whether users see a change in its live position, even if only when it was last seen. */
function isShown({ seenAt, latest }: DeviceChanges): boolean {
  return seenAt !== null || latest !== null;
}
