import { withoutFences } from "../../domain/alerts/set-rules.ts";
import type { Actor, AuditAction, AuditEntry } from "../../domain/audit.ts";
import { Failure } from "../../domain/errors.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import { formatInstant, parseInstant } from "../../domain/time/time.ts";
import type { Database, Reader, Transaction } from "../../store/database.ts";
import { saveAlertSettings } from "../../store/fleet/alert-settings.ts";
import { addAuditEntries } from "../../store/fleet/audit.ts";
import { removedDeviceNumbers, rulesOfRemovedDevices, settingsNamingFence } from "../../store/fleet/geofence-list.ts";
import { geofenceMembers, hideGeofence, removedGeofence, unhideGeofence } from "../../store/fleet/geofence-writes.ts";
import { bumpRevisions } from "../../store/fleet/record-revisions.ts";
import { applyFleet } from "../apply/apply.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { Effect } from "../consequences/effect-types.ts";
import { fleetTransaction } from "../consequences/fleet-transaction.ts";
import { effectWarnings, type RuleWarning } from "../consequences/rule-warnings.ts";
import { alertSettingsLines, type Line } from "../parse/lines.ts";
import { fileOf } from "./edited-file.ts";
import { effectOf } from "./effect.ts";
import { unlessChanged } from "./stored-records.ts";

export interface FenceRequest {
  readonly accountId: number;
  readonly id: string;
  readonly revision: number;
  readonly by: Actor;
  readonly isPreview: boolean;
}

/**
 * Ends a fence now and hides it. It keeps its versions and gets a last one without devices: so its past is derived again as
 * it was, and nobody is inside any more. From now on no rule names it, also if it is put back later.
 */
export function removeGeofence(database: Database, request: FenceRequest, now: number): Promise<Effect> {
  return fleetTransaction(database, request.isPreview, async (tx) => {
    const { accountId, id } = request;
    const newest = (await versionsOf(tx, request)).at(-1) as Line;
    const from = after(newest, now);
    const ending = { accountId, id, by: request.by, from };
    const settings = await settingsWithout(tx, ending);
    const line = { ...newest, device_ids: [] };
    const { consequences, warnings } = await applyLines(tx, line, { hidden: [], from, others: settings }, now);
    await noteSettings(tx, ending, consequences, now);
    await rulesOfHiddenWithout(tx, ending, consequences, now);
    await hideGeofence(tx, accountId, id, from);
    consequences.changedFleets.add(accountId);
    consequences.records(accountId).fenceHidden(id, true);
    return writeFenceEdit(tx, request, consequences, warnings, "geofence.removed", now);
  });
}

/** Shows a removed fence again, from now on, with the devices that it had. Between the two it saw nothing. */
export function restoreGeofence(database: Database, request: FenceRequest, now: number): Promise<Effect> {
  return fleetTransaction(database, request.isPreview, async (tx) => {
    const { accountId, id } = request;
    const removed = await removedGeofence(tx, accountId, id);
    if (removed === null) throw new Failure("NOT_FOUND", "there is no such removed geofence");
    await unhideGeofence(tx, accountId, id, now);
    const versions = await versionsOf(tx, request);
    const newest = versions.at(-1) as Line;
    const before = versions.findLast(({ valid_from }) => (instantOf(valid_from) ?? 0) < removed.removed_at) ?? newest;
    const line = { ...newest, device_ids: before.device_ids ?? [] };
    const hidden = await hiddenMembers(tx, accountId, id, instantOf(before.valid_from) ?? 0);
    const { consequences, warnings } = await applyLines(
      tx,
      line,
      { hidden, from: after(newest, now), others: [] },
      now,
    );
    consequences.changedFleets.add(accountId);
    consequences.records(accountId).fenceHidden(id, false);
    return writeFenceEdit(tx, request, consequences, warnings, "geofence.restored", now);
  });
}

/** At least one. */
function versionsOf(tx: Transaction, { accountId, id, revision }: FenceRequest): Promise<readonly Line[]> {
  return unlessChanged(tx, accountId, { type: "geofence", id }, revision);
}

/** The devices of a fence's version that were removed and may be put back. */
async function hiddenMembers(tx: Transaction, accountId: number, id: string, validFrom: number): Promise<number[]> {
  const removed = await removedDeviceNumbers(tx, accountId);
  const members = (await geofenceMembers(tx, accountId, [id])).filter((member) => member.valid_from === validFrom);
  return members.map(({ device }) => device).filter((device) => removed.has(device));
}

interface NewState {
  readonly from: number;
  /** The removed devices that the fence has from then on. */
  readonly hidden: readonly number[];
  readonly others: readonly Line[];
}

async function applyLines(tx: Transaction, line: Line, { from, hidden, others }: NewState, now: number) {
  const file = await fileOf([{ ...line, valid_from: formatInstant(from) }, ...others]);
  const hiddenMembers = new Map([[String(line.id), hidden]]);
  return applyFleet(tx, { ...file, hiddenMembers }, now);
}

/** Now, unless a version began at this very moment, or will within minutes, by another machine's clock: both must stay. */
function after({ valid_from }: Line, now: number): number {
  return Math.max(now, (instantOf(valid_from) ?? 0) + 1);
}

function instantOf(text: unknown): number | null {
  return typeof text === "string" ? parseInstant(text) : null;
}

async function writeFenceEdit(
  tx: Transaction,
  { accountId, id, by }: FenceRequest,
  consequences: Consequences,
  warnings: readonly RuleWarning[],
  action: AuditAction,
  now: number,
): Promise<Effect> {
  const effect = await effectOf(tx, consequences, await effectWarnings(tx, accountId, warnings));
  await bumpRevisions(tx, accountId, "geofence", [id], "portal");
  await addAuditEntries(tx, accountId, [{ by, action, id }], now);
  await consequences.write(tx, by, now);
  return effect;
}

/** The fence that is removed, and from when it is no more. */
interface EndingFence {
  readonly accountId: number;
  readonly id: string;
  readonly by: Actor;
  readonly from: number;
}

/** The settings that name the fence, as they are without it from then on. What they said before stays. */
async function settingsWithout(reader: Reader, { accountId, id, from }: EndingFence): Promise<Line[]> {
  const named = (await settingsNamingFence(reader, accountId, id)).map((settings) => settings.id);
  const lines: Line[] = [];
  for (const settings of named) {
    const newest = (await alertSettingsLines(reader, accountId, [settings])).at(-1);
    if (newest === undefined) continue;
    const since = parseInstant(String(newest.valid_from)) ?? from;
    const rules = (newest.rules as readonly RuleLine[]).flatMap((rule) => withoutFence(rule, id));
    lines.push({ ...newest, rules, valid_from: formatInstant(Math.max(from, since)) });
  }
  return lines;
}

interface RuleLine {
  readonly geofence_ids?: readonly string[];
}

/** A rule that held only there is gone with it. */
function withoutFence(rule: RuleLine, id: string): RuleLine[] {
  if (!rule.geofence_ids?.includes(id)) return [rule];
  const geofence_ids = rule.geofence_ids.filter((other) => other !== id);
  return geofence_ids.length === 0 ? [] : [{ ...rule, geofence_ids }];
}

/** Writes who manages the changed settings, and who changed them. Followers get the change by the load itself. */
async function noteSettings(
  tx: Transaction,
  { accountId, by }: EndingFence,
  consequences: Consequences,
  now: number,
): Promise<void> {
  const ids = consequences.changed.all.filter(({ type }) => type === "alert_settings").map(({ id }) => id);
  await bumpRevisions(tx, accountId, "alert_settings", ids, "portal");
  const details = { fields: ["rules"] };
  const entries = ids.map((id): AuditEntry => ({ by, action: "alert_settings.changed", id, details }));
  await addAuditEntries(tx, accountId, entries, now);
}

/** The same for the settings of devices that were removed and may be put back: no line can name them, and nobody sees them. */
async function rulesOfHiddenWithout(
  tx: Transaction,
  { accountId, id, from }: EndingFence,
  consequences: Consequences,
  now: number,
): Promise<void> {
  const settings = await rulesOfRemovedDevices(tx, accountId, id);
  const rows = settings.map(({ device, valid_from, rules_json }) => ({
    account_id: accountId,
    device,
    valid_from: Math.max(from, valid_from),
    rules_json: JSON.stringify(withoutFences(JSON.parse(rules_json) as AlertRule[], new Set([id]))),
  }));
  await saveAlertSettings(tx, rows, now);
  for (const { device, valid_from } of rows) consequences.deriveAgain({ accountId, device }, valid_from);
}
