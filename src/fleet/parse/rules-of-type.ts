import { parseInstant } from "../../domain/time.ts";
import type { Line } from "./lines.ts";

/**
 * The rules of a moment, with those of one type of alert replaced. The others stay as they were then: who changes the past of
 * one type says nothing about the others. Versions are in ascending time.
 */
export function withRulesOfType(
  type: string,
  rules: readonly unknown[],
  versions: readonly Line[],
  at: number,
): readonly unknown[] {
  const inForce = versions.findLast(({ valid_from }) => (parseInstant(String(valid_from)) ?? 0) <= at) ?? versions[0];
  const before = (inForce?.rules ?? []) as readonly { readonly alert_type: unknown }[];
  const others = before.filter(({ alert_type }) => alert_type !== type);
  // In their old place: another order is no other rule, and should not look like one.
  const first = before.findIndex(({ alert_type }) => alert_type === type);
  return others.toSpliced(first === -1 ? others.length : first, 0, ...(rules as typeof others));
}
