/** Who did something: a person in the portal, someone at the command line, a fleet file, or someone not signed in. */
export type Actor =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "command" }
  | { readonly kind: "file" }
  | { readonly kind: "stranger" };

/** Those who are not people of the account. */
export const otherActors = ["command", "file", "stranger"] as const satisfies readonly Actor["kind"][];

/** What the audit log knows to say. The word before the dot is the type of the record that it was done to. */
export const auditActions = [
  ...done("account", "added", "changed", "erased"),
  ...done("user", "added", "changed", "removed", "restored", "erased"),
  ...done("device", "added", "changed", "removed", "restored", "erased"),
  ...done("driver", "added", "changed", "erased"),
  ...done("geofence", "added", "changed", "removed", "restored"),
  ...done("alert_settings", "added", "changed"),
  ...done("key", "created", "rotated", "revoked"),
  ...done("token", "created", "revoked"),
  ...done("session", "started", "ended"),
  ...done("password", "changed"),
  ...done("link", "created", "used"),
  ...done("email", "link_sent", "confirmed"),
  ...done("share", "created", "revoked", "ended"),
  ...done("notification", "added", "changed", "removed", "stopped"),
  ...done("planned_report", "added", "changed", "removed", "run", "stopped", "resumed"),
  ...done("streets", "added", "removed"),
  ...done("fleet", "loaded"),
];

function done<Type extends string, Verb extends string>(type: Type, ...verbs: readonly Verb[]) {
  return verbs.map((verb): `${Type}.${Verb}` => `${type}.${verb}`);
}

export type AuditAction = (typeof auditActions)[number];

/** What people look for in the log, and the types of records that it concerns. */
export const auditKinds = {
  vehicles: ["device"],
  people: ["user", "password", "link", "email", "notification"],
  drivers: ["driver"],
  fences: ["geofence"],
  rules: ["alert_settings"],
  trackers: ["token"],
  keys: ["key"],
  shares: ["share"],
  reports: ["planned_report"],
  sign_ins: ["session"],
  account: ["account", "streets"],
  files: ["fleet"],
} as const satisfies Record<string, readonly string[]>;

/** Ids and names of fields. Never what a vehicle or a person is called: erasing them must not need to change the log. */
export interface AuditEntry {
  readonly by: Actor;
  readonly action: AuditAction;
  /** The record that it was done to: a UUID, or the id of alert settings. Of sessions, passwords, links, e-mails and notifications: the user's. */
  readonly id: string;
  readonly details?: Readonly<Record<string, string | number | readonly string[]>>;
}
