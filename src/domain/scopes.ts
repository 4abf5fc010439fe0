/** What a key may be allowed to read, as the portal and the help describe it. */
export const scopes = {
  "devices:read": "device list and detail, alert settings",
  "positions:read": "live positions and position history",
  "trips:read": "trips",
  "alerts:read": "alerts (alarms and events)",
  "sensors:read": "fuel, temperature and tyre readings",
  "geofences:read": "geofences, their assignments and crossings",
  "users:read": "sub-account list and detail",
  "reports:read": "mileage and usage summaries",
} as const;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as readonly Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}
