import { type AlertType, alertKind, type Severity } from "../../../domain/alert-types.ts";
import { isRequired } from "../../../domain/alerts/parameters.ts";
import { needsTimes } from "../../../domain/alerts/read-rule.ts";
import { timesOf } from "../../../domain/alerts/rule-times.ts";
import type { AlertRule, Json } from "../../../domain/fleet.ts";
import type { RuleLine } from "../../both-sides/contract/rules.ts";
import { type DraftTimes, draftTimesOf, newPart, noTimes, timesOfDraft } from "./draft-times.ts";
import type { ShownNumber } from "./parameter-units.ts";

/** A rule while a person edits it: numbers as they are typed. */
export interface DraftRule {
  /** Only to distinguish drafts. */
  readonly key: number;
  readonly enabled: boolean;
  readonly severity: Severity | "";
  /** Of pressures by axle there is one for each, such as `nominal_kpa 1`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly geofenceIds: readonly string[];
  readonly times: DraftTimes;
}

export type NumberOf = (name: string) => ShownNumber | null;

/** Begins where no earlier page has been: a form that is back after a reload has keys of its own time. */
let lastKey = Date.now();

/** Where a type needs times, with those that most begin with. */
export function emptyDraft(type?: AlertType): DraftRule {
  const times = type !== undefined && needsTimes(type) ? { parts: [newPart()], dates: [] } : noTimes;
  return { key: ++lastKey, enabled: true, severity: "", texts: {}, geofenceIds: [], times };
}

export function ruleDraftOf(rule: AlertRule, numberOf: NumberOf): DraftRule {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(rule.parameters)) {
    const shown = (number: number) => String(numberOf(name)?.toShown(number) ?? number);
    if (name === "times") continue;
    if (typeof value === "number") texts[name] = shown(value);
    else if (typeof value === "string") texts[name] = value;
    else if (typeof value === "object" && value !== null) {
      for (const [axle, number] of Object.entries(value)) texts[`${name} ${axle}`] = shown(Number(number));
    }
  }
  const { enabled, severity, geofenceIds } = rule;
  const times = draftTimesOf(timesOf(rule));
  return { ...emptyDraft(), enabled, severity: severity ?? "", texts, geofenceIds, times };
}

/** A default that raises nothing by itself is no rule beside others. */
export function isSet({ enabled, geofenceIds }: DraftRule): boolean {
  return enabled || geofenceIds.length > 0;
}

/** Rules that are all off begin switched on: the only one with what was set for it, else one more. */
export function switchedOn(type: AlertType, drafts: readonly DraftRule[]): readonly DraftRule[] {
  if (drafts.some(({ enabled }) => enabled)) return drafts;
  const [only, ...more] = drafts;
  const fresh = emptyDraft(type);
  if (only === undefined || more.length > 0) return [...drafts.filter(isSet), fresh];
  const hasTimes = only.times.parts.length + only.times.dates.length > 0;
  return [{ ...only, enabled: true, times: hasTimes ? only.times : fresh.times }];
}

/** As it is sent; null: a number is missing or out of bounds, or times are not complete, which the form says. */
export function ruleLineOf(type: AlertType, draft: DraftRule, numberOf: NumberOf): RuleLine | null {
  const parameters: Record<string, Json> = {};
  const { parameters: kinds, source } = alertKind(type);
  for (const [name, kind] of Object.entries(kinds)) {
    const text = (draft.texts[name] ?? "").trim();
    const byAxle = Object.entries(draft.texts).filter(([key, value]) => key.startsWith(`${name} `) && value !== "");
    if (kind.kind === "times") continue;
    if (kind.kind === "sensor") {
      if (text !== "") parameters[name] = text;
      continue;
    }
    if (kind.kind === "by_axle" && byAxle.length > 0) {
      const numbers = byAxle.map(
        ([key, value]) => [key.slice(name.length + 1), storedOf(value, numberOf(name))] as const,
      );
      if (numbers.some(([, number]) => number === null)) return null;
      parameters[name] = Object.fromEntries(numbers) as Readonly<Record<string, number>>;
      continue;
    }
    if (text === "") {
      if (draft.enabled && isRequired(kind)) return null;
      continue;
    }
    const stored = kind.kind === "choice" ? Number(text) : storedOf(text, numberOf(name));
    if (stored === null) return null;
    parameters[name] = stored;
  }
  const times = timesOfDraft(draft.times);
  if (times === null || (draft.enabled && needsTimes(type) && times === "always")) return null;
  if (times !== "always") parameters.times = times;
  if (draft.enabled && source === "crossing" && draft.geofenceIds.length === 0) return null;
  return {
    alert_type: type,
    enabled: draft.enabled,
    ...(draft.severity === "" ? {} : { severity: draft.severity }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(draft.geofenceIds.length === 0 ? {} : { geofence_ids: draft.geofenceIds }),
  };
}

function storedOf(text: string, number: ShownNumber | null): number | null {
  const shown = Number(text);
  if (number === null || text.trim() === "" || !Number.isFinite(shown)) return null;
  return shown < number.min || shown > number.max ? null : number.toStored(shown);
}
