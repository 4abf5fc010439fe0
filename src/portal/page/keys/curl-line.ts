import type { Scope } from "../../../domain/scopes.ts";

/** An example for each scope; the first whose scope the key has is shown. */
const firstCalls: Readonly<Record<Scope, string>> = {
  "positions:read": "/positions/latest",
  "devices:read": "/devices",
  "trips:read": "/trips",
  "alerts:read": "/alerts",
  "geofences:read": "/geofences",
  "sensors:read": "/sensors/fuel",
  "users:read": "/users",
  "reports:read": "/reports/mileage",
};

/** A line that works when it is pasted into a terminal. */
export function curlLine(baseUrl: string, key: string, scopes: readonly string[]): string {
  const path = Object.entries(firstCalls).find(([scope]) => scopes.includes(scope))?.[1] ?? "/health";
  return `curl -H 'Authorization: Bearer ${key}' '${baseUrl}${path}'`;
}
