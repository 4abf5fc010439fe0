export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** What the browser knows, and the present one, which may be an older name. */
export function zoneOptions(present: string): (readonly [value: string, text: string])[] {
  const zones = new Set(["UTC", present, ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].sort().map((zone) => [zone, zone.replaceAll("_", " ")]);
}
