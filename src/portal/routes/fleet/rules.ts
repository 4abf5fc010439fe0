import { z } from "zod";
import { type AlertType, alertTypes } from "../../../domain/alert-types.ts";
import { Failure } from "../../../domain/errors.ts";
import { isUuid } from "../../../domain/text/identifiers.ts";
import type { RecordEdit } from "../../../fleet/edit/edit.ts";
import { alertSettingsLines, type SettingsLine } from "../../../fleet/parse/lines.ts";
import { readTag } from "../../../fleet/parse/records.ts";
import { devicesWithOwnRules, type RuledTypes } from "../../../store/fleet/alert-settings.ts";
import { ruledDevices } from "../../../store/fleet/device-rules.ts";
import { visibleDevice } from "../../../store/fleet/devices.ts";
import { sharedRules } from "../../../store/fleet/rule-versions.ts";
import type { Managed } from "../../both-sides/contract/envelopes.ts";
import { answerEdit, isPreview, makeEdit, readChangedRecord } from "../../fleet-edit.ts";
import { managementOf } from "../../management.ts";
import { readCheckedBody } from "../../read-body.ts";
import { invalidFields, noSuch } from "../../refusals.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** Rules for all vehicles and for tags, with how many vehicles have each tag, and which have rules of their own. */
export const listFleetRules = portalRoute("GET /fleet/rules", "owner", async ({ parts, session }) => {
  const { accountId } = session.visibility;
  const devices = (await ruledDevices(parts.database, accountId, null)).filter((one) => one.removed_at === null);
  const shared = await sharedRules(parts.database, accountId);
  // A tag that no vehicle has any more is listed for as long as it has rules.
  const inUse = shared.byTag.entries().filter(([, versions]) => (versions.at(-1)?.content.length ?? 0) > 0);
  const count = new Map(inUse.map(([tag]) => [tag, 0]));
  for (const tag of devices.flatMap(tagsOf)) count.set(tag, (count.get(tag) ?? 0) + 1);
  const lines = await alertSettingsLines(parts.database, accountId, ["all", ...Array.from(count.keys(), idOfTag)]);
  const newest = new Map(lines.map((line) => [idOf(line), line]));
  const managed = await managementOf(parts.database, accountId, "alert_settings", newest.keys());
  return {
    body: {
      data: Array.from(newest, ([id, line]) => record(id, line, managed(id))),
      vehicles: devices.length,
      tags: Array.from(count, ([tag, vehicles]) => ({ tag, vehicles })),
      own: (await devicesWithOwnRules(parts.database, accountId)).map(({ id, types }) => ({
        device_id: id,
        alert_types: types,
      })),
    },
  };
});

/** The rules of one vehicle (by its id), of a tag (`tag:NAME`) or of all (`all`), even if none were ever set. */
export const showFleetRules = portalRoute("GET /fleet/rules/{id}", "owner", async (call) => {
  return { body: { data: await shownRules(call, await scopeOf(call)) } };
});

/** The revision of rules that were never set. */
const neverSet = 0;

export const changeFleetRules = portalRoute("PUT /fleet/rules/{id}", "owner", async (call) => {
  const { id } = await scopeOf(call);
  const { revision, fields } = readChangedRecord(call);
  const seen = revision === neverSet ? null : revision;
  const { rules, valid_from } = fields;
  const wanted = { rules, ...(valid_from === undefined ? {} : { valid_from }) };
  const alertType = typeOf(fields);
  const change = { type: "alert_settings", id, revision: seen, fields: wanted, alertType } as const;
  const answer = await answerEdit(call, change, async () => shownRules(call, await scopeOf(call)));
  return { ...answer, status: 200 };
});

/** More would take longer than a person waits. */
const maxReplaced = 1_000;

const replacement = z.object({
  alert_type: z.enum(alertTypes as [AlertType, ...AlertType[]], { error: "expected a type of alert" }),
  vehicles: z.int({ error: "expected how many vehicles the person has seen" }),
});

/** Takes back the rules that vehicles have of their own, of one type of alert, so that those of their tag or of all hold. */
export const replaceOwnRules = portalRoute("POST /fleet/rules/{id}/replace-own", "owner", async (call) => {
  const { accountId } = call.session.visibility;
  const { id } = await scopeOf(call);
  const { alert_type: alertType, vehicles } = readCheckedBody(call, replacement);
  if (isUuid(id)) throw noSuch("tag");
  const isMeant = ({ tags, types }: RuledTypes) =>
    types.includes(alertType) && (id === "all" || tags.map(idOfTag).includes(id));
  const meant = (await devicesWithOwnRules(call.parts.database, accountId)).filter(isMeant);
  if (meant.length !== vehicles) {
    throw new Failure("CONFLICT", `${meant.length} vehicles have rules of their own by now: load the page again`);
  }
  if (meant.length > maxReplaced) throw new Failure("INVALID_REQUEST", `at most ${maxReplaced} vehicles at once`);
  const managed = await managementOf(
    call.parts.database,
    accountId,
    "alert_settings",
    meant.map((device) => device.id),
  );
  const changes = meant.map((device): RecordEdit => {
    const { revision } = managed(device.id);
    return { type: "alert_settings", id: device.id, revision, fields: { rules: [] }, alertType };
  });
  const { effect } = await makeEdit(call, changes);
  const changed = changes.length;
  return isPreview(call) ? { body: { data: { effect, changed } } } : { body: { data: { changed }, effect } };
});

const tagPrefix = "tag:";
/** Undefined: all rules are replaced, whatever their type. */
function typeOf({ alert_type: type, rules }: Readonly<Record<string, unknown>>): string | undefined {
  if (type === undefined) return undefined;
  if (typeof type !== "string") throw invalidFields({ alert_type: "expected a type of alert" });
  const others =
    Array.isArray(rules) && rules.some((rule: { alert_type?: unknown } | null) => rule?.alert_type !== type);
  if (others) throw invalidFields({ rules: `expected only rules of the type ${type}` });
  return type;
}

interface Scope {
  readonly id: string;
  /** Those of the vehicle, if the rules are of one. */
  readonly tags: readonly string[];
}

async function scopeOf({ parts, session, values }: SignedInCall): Promise<Scope> {
  const id = decoded(values[0] ?? "");
  if (id === "all") return { id, tags: [] };
  if (id.startsWith(tagPrefix)) return { id: storedTagId(id), tags: [] };
  const device = isUuid(id) ? await visibleDevice(parts.database, session.visibility, { id: id.toLowerCase() }) : null;
  if (device === null) throw noSuch("vehicle");
  return { id: device.id, tags: tagsOf(device) };
}

/** As the tag is stored: another way to write it must not be another record. */
function storedTagId(id: string): string {
  const tag = readTag(id.slice(tagPrefix.length));
  if (tag === null) throw noSuch("tag");
  return idOfTag(tag);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

async function shownRules({ parts, session }: SignedInCall, { id, tags }: Scope) {
  const { accountId } = session.visibility;
  const line = (await alertSettingsLines(parts.database, accountId, [id])).at(-1);
  const managed = await managementOf(parts.database, accountId, "alert_settings", [id]);
  return { ...record(id, line, managed(id)), tags };
}

function record(id: string, line: SettingsLine | undefined, managed: Managed) {
  return {
    id,
    rules: line?.rules ?? [],
    valid_from: line?.valid_from ?? null,
    ...managed,
    ...(line === undefined && { revision: neverSet, managed_by: null }),
  };
}

function tagsOf({ tags_json }: { readonly tags_json: string }): string[] {
  return JSON.parse(tags_json) as string[];
}

function idOfTag(tag: string): string {
  return tagPrefix + tag;
}

function idOf({ tag }: SettingsLine): string {
  return tag === undefined ? "all" : idOfTag(tag);
}
