import { auditKinds } from "../../../domain/audit.ts";
import { daysWindow, isDay } from "../../both-sides/periods/days.ts";

export interface AuditFilter {
  /** The id of a person, `command`, `file` or `stranger`; null: everybody. */
  readonly by: string | null;
  readonly kind: AuditKind | null;
  /** Days of the account's time zone, both included; null: no bound. */
  readonly from: string | null;
  readonly to: string | null;
}

export type AuditKind = keyof typeof auditKinds;
export const auditKindNames = Object.keys(auditKinds) as readonly AuditKind[];

/** An address can hold anything: what makes no sense is left out. Pure. */
export function auditFilterOf(get: (name: string) => string | null): AuditFilter {
  const [by, from, to] = [get("by"), get("from"), get("to")];
  return {
    by: by !== null && /^(command|file|stranger|[0-9a-f-]{36})$/i.test(by) ? by : null,
    kind: auditKindNames.find((name) => name === get("kind")) ?? null,
    from: from !== null && isDay(from) ? from : null,
    to: to !== null && isDay(to) ? to : null,
  };
}

/** As the server takes it. Pure. */
export function auditQuery({ by, kind, from, to }: AuditFilter, zone: string) {
  const instant = (at: number) => new Date(at).toISOString();
  return {
    by,
    kind,
    from: from && instant(daysWindow(from, from, zone).from),
    to: to && instant(daysWindow(to, to, zone).to),
  };
}

export type AuditQuery = ReturnType<typeof auditQuery>;

export function isFiltered({ by, kind, from, to }: AuditFilter): boolean {
  return [by, kind, from, to].some((value) => value !== null);
}
