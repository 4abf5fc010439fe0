import { z } from "zod";
import { alertKind, alertTypes } from "../../domain/alert-types.ts";
import { type ListedRule, listedRules } from "../../domain/alerts/listed-rules.ts";
import type { SetRule } from "../../domain/alerts/set-rules.ts";
import type { AlertSettingsRow } from "../../store/fleet/alert-settings.ts";
import { deviceFields, severityText, timeOrNull, uuidText } from "./fields.ts";
import { apiRecord, field, presenter, type RecordFields, schemasOf } from "./record.ts";
import { story } from "./story.ts";

const ruleFields: RecordFields<ListedRule> = {
  alert_type: field(
    z.string(),
    `The alert that the rule raises. At present one of ${alertTypes.map((type) => `\`${type}\``).join(", ")}.`,
    (rule) => rule.alertType,
    ["speeding"],
  ),
  source: field(
    z.enum(["default", "set"]),
    "`set` by the owner, or the `default` of the type. Of several rules that apply, the last one counts.",
    (rule) => rule.source,
  ),
  set_for: field(
    z.enum(["device", "tag", "account"]).nullable(),
    "Whom it was set for: this `device`, the devices with a `tag`, or all devices of the `account`. Null for a default. For " +
      "each type of alert, rules for the device come before those for its tags, and these before those for all.",
    (rule) => rule.setFor,
  ),
  tag: field(z.string().nullable(), "The tag that it was set for; null unless `set_for` is `tag`.", (rule) => rule.tag),
  enabled: field(
    z.boolean(),
    "Whether it is raised. The default of a type that needs a limit, and has none, is not.",
    (rule) => rule.enabled,
  ),
  severity: field(
    severityText,
    "What the alerts have, however bad it gets; where none was set, what those of the type start with.",
    (rule) => rule.severity ?? alertKind(rule.alertType).severity,
  ),
  parameters: field(
    z.record(z.string(), z.unknown()),
    "The rule's own settings; what is left out is as by default. A default has all that it goes by. `limit_kmh` is held " +
      "against the speeds that the tracker reports (the mean of several if they scatter), from 5 km/h above it on. If it " +
      "reports none, against the speed by its positions over 40 to 60 s, from 9 km/h above on. `times`: the rule holds only " +
      "within these, in the account's time zone: `within` has `days` (`mon` to `sun`), `from` and `until` (`20:00`; at or before " +
      "`from`: of the next day), on `dates_off` it holds all day.",
    (rule) => rule.parameters,
  ),
  geofence_ids: field(
    z.array(uuidText),
    "The geofences that the rule is for, as far as the key sees them. None: it holds everywhere (a geofence alert: " +
      "nowhere).",
    (rule) => rule.geofenceIds,
  ),
};
const presentRule = presenter(ruleFields);
const rule = z.strictObject(schemasOf(ruleFields)).meta({ id: "AlertRule", description: "When to raise an alert." });

const exampleRules: SetRule[] = [
  {
    alertType: "speeding",
    enabled: true,
    severity: null,
    parameters: { limit_kmh: 50 },
    geofenceIds: [story.geofenceId],
    setFor: "tag",
    tag: "day shift",
  },
  {
    alertType: "idling",
    enabled: false,
    severity: null,
    parameters: {},
    geofenceIds: [],
    setFor: "device",
    tag: null,
  },
];

export const alertSettings = apiRecord<AlertSettingsRow>({
  name: "AlertSettings",
  description: "The alert rules in force for a device, as they are now.",
  fields: {
    ...deviceFields,
    rules: field(
      z.array(rule),
      "First the defaults, without those that a rule replaces everywhere; then the rules that were set, for all devices, for " +
        "tags and for this device. A key that sees none of a rule's geofences is not shown the rule.",
      (row) => listedRules(JSON.parse(row.rules_json ?? "[]") as SetRule[]).map(presentRule),
    ),
    updated_at: timeOrNull("When the rules last changed; null if none were ever set.", (row) => row.updated_at),
  },
  exampleRow: {
    device_id: story.deviceId,
    imei: story.imei,
    rules_json: JSON.stringify(exampleRules),
    updated_at: Date.parse("2026-01-15T11:49:02.116Z"),
  },
});
