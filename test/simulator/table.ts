import type { Comparison, Difference } from "./comparison.ts";

/** The comparison as lines for a reader. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const lines = comparisons.map((one) => {
    const km = one.days.reduce((sum, day) => sum + day.km, 0);
    const foundKm = one.days.reduce((sum, day) => sum + day.foundKm, 0);
    const worst = one.days.reduce((most, day) => Math.max(most, errorPercent(day)), 0);
    return row(one.name, km, foundKm, worst, one.foundTrips, one.trips, one.foundCrossings, one.crossings);
  });
  const sum = (of: (one: Comparison) => number) => comparisons.reduce((total, one) => total + of(one), 0);
  const days = comparisons.flatMap((one) => one.days);
  const total = row(
    "all",
    days.reduce((most, day) => most + day.km, 0),
    days.reduce((most, day) => most + day.foundKm, 0),
    days.reduce((most, day) => Math.max(most, errorPercent(day)), 0),
    sum((one) => one.foundTrips),
    sum((one) => one.trips),
    sum((one) => one.foundCrossings),
    sum((one) => one.crossings),
  );
  const head = "vehicle           km driven    km found   worst day       trips   crossings";
  return [head, ...lines, total].join("\n");
}

export function errorPercent({ km, foundKm }: { readonly km: number; readonly foundKm: number }): number {
  if (km === 0) return foundKm < 0.05 ? 0 : 100;
  return Math.abs(foundKm / km - 1) * 100;
}

/** How often each cause comes up. */
export function causes(differences: readonly Difference[]): string {
  const counts = new Map<string, number>();
  for (const { cause } of differences) counts.set(cause ?? "?", (counts.get(cause ?? "?") ?? 0) + 1);
  return [...counts].map(([cause, count]) => `${count} × ${cause}`).join(", ") || "none";
}

function row(name: string, km: number, foundKm: number, worst: number, ...counts: readonly number[]): string {
  const [foundTrips, trips, foundCrossings, crossings] = counts;
  return [
    name.padEnd(14),
    km.toFixed(1).padStart(12),
    foundKm.toFixed(1).padStart(12),
    `${worst.toFixed(2)} %`.padStart(12),
    `${foundTrips}/${trips}`.padStart(12),
    `${foundCrossings}/${crossings}`.padStart(12),
  ].join("");
}
