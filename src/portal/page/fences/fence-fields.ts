import type { FenceDetails } from "../../both-sides/contract/fences.ts";
import { type Drawing, drawingOf, shapeFields } from "./drawing.ts";

export interface FenceForm {
  readonly name: string;
  readonly description: string;
  readonly color: string | null;
  readonly deviceIds: ReadonlySet<string>;
  readonly from: FromWhen;
}

export type FromWhen = { readonly kind: "now" | "always" } | { readonly kind: "moment"; readonly at: number | null };

export function fenceFormOf(fence: FenceDetails | null): FenceForm {
  return {
    name: fence?.name ?? "",
    description: fence?.description ?? "",
    color: fence?.color ?? null,
    deviceIds: new Set(fence?.device_ids),
    from: { kind: "now" },
  };
}

/** The fields of a fleet file's line that differ from what was opened; null if none does. Pure. */
export function changedFenceFields(
  form: FenceForm,
  drawing: Drawing | null,
  opened: FenceDetails | null,
): Readonly<Record<string, unknown>> | null {
  const before = fenceFormOf(opened);
  const fields: Record<string, unknown> = {};
  if (opened === null || form.name.trim() !== before.name) fields.name = form.name.trim();
  if (form.description.trim() !== before.description) fields.description = form.description.trim() || null;
  if (form.color !== before.color) fields.color = form.color;
  const isMoved = drawing !== null && (opened === null || !isSameShape(drawing, drawingOf(opened)));
  if (isMoved) Object.assign(fields, shapeFields(drawing));
  const isReassigned = !isSameSet(form.deviceIds, before.deviceIds);
  if (opened === null || isReassigned) fields.device_ids = [...form.deviceIds].sort();
  // Only shape and vehicles have versions. The same ones may count from an earlier moment on.
  if (isMoved || isReassigned || isEarlier(form.from, opened))
    Object.assign(fields, fromField(form.from, opened === null));
  return Object.keys(fields).length === 0 ? null : fields;
}

/** Since when shape and vehicles have counted as they do now; null: from the beginning. */
export function countsSince({ versions }: FenceDetails): number | null {
  const since = versions.at(-1)?.valid_from ?? null;
  return since === null ? null : Date.parse(since);
}

function isEarlier(from: FromWhen, opened: FenceDetails | null): boolean {
  const since = opened === null ? null : countsSince(opened);
  if (since === null) return false;
  return from.kind === "always" || (from.kind === "moment" && from.at !== null && from.at < since);
}

/** A new fence begins with nobody in it, an edited one as it was: so "always" is said differently. */
function fromField(from: FromWhen, isNew: boolean): object {
  switch (from.kind) {
    case "now":
      return {};
    case "always":
      return { valid_from: isNew ? "always" : new Date(0).toISOString() };
    case "moment":
      return from.at === null ? {} : { valid_from: new Date(from.at).toISOString() };
  }
}

function isSameShape(one: Drawing, other: Drawing): boolean {
  return JSON.stringify(shapeFields(one)) === JSON.stringify(shapeFields(other));
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
