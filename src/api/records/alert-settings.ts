import { z } from "zod";
import { alertTypes, defaultSeverityByAlertType } from "../../domain/alert-types.ts";
import type { AlertRule } from "../../domain/fleet.ts";
import type { AlertSettingsRow } from "../../store/alert-settings.ts";
import { presenter } from "./body.ts";
import { deviceFields, instant, severity, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys, openBrace } from "./literal.ts";
import { story } from "./story.ts";

const key = keys("rules", "updated_at");

export function writeAlertSettings(json: JsonWriter, row: AlertSettingsRow): void {
  json.literal(openBrace);
  json.device(row.device_id, row.imei);
  json.literal(key.rules);
  json.json(row.rules_json === null ? "[]" : JSON.stringify(storedRules(row.rules_json).map(ruleRecord)));
  json.literal(key.updated_at);
  json.instant(row.updated_at);
  json.literal(closeBrace);
}

function storedRules(json: string): AlertRule[] {
  return JSON.parse(json);
}

function ruleRecord(rule: AlertRule) {
  return {
    alert_type: rule.alertType,
    enabled: rule.enabled,
    severity: rule.severity ?? defaultSeverityByAlertType[rule.alertType],
    parameters: rule.parameters,
    geofence_ids: rule.geofenceIds,
  };
}

export const presentAlertSettings = presenter(writeAlertSettings);

const exampleRules: AlertRule[] = [
  {
    alertType: "speeding",
    enabled: true,
    severity: null,
    parameters: { limit_kmh: 50 },
    geofenceIds: [story.geofenceId],
  },
  { alertType: "idling", enabled: false, severity: null, parameters: {}, geofenceIds: [] },
];
export const exampleAlertSettingsRow: AlertSettingsRow = {
  device_id: story.deviceId,
  imei: story.imei,
  rules_json: JSON.stringify(exampleRules),
  updated_at: Date.parse("2026-01-15T11:49:02.116Z"),
};
export const exampleAlertSettingsRecord: unknown = JSON.parse(presentAlertSettings(exampleAlertSettingsRow));

const ruleSchema = z
  .strictObject({
    alert_type: z.string().meta({
      description: `The alert that the rule raises. At present one of ${alertTypes.map((type) => `\`${type}\``).join(", ")}.`,
      examples: ["speeding"],
    }),
    enabled: z.boolean().describe("Whether it is raised."),
    severity: severity.describe(
      "What the alerts have, however bad it gets; where none was set, what those of the type start with.",
    ),
    parameters: z
      .record(z.string(), z.unknown())
      .describe("The rule's own settings; what is left out is as by default."),
    geofence_ids: z
      .array(uuid)
      .describe(
        "The geofences that the rule is for, as far as the key sees them. None: it holds everywhere (a geofence alert: " +
          "nowhere).",
      ),
  })
  .meta({ id: "AlertRule", description: "When to raise an alert." });

export const alertSettingsSchema = z
  .strictObject({
    ...deviceFields,
    rules: z
      .array(ruleSchema)
      .describe(
        "Where the device differs from the defaults. Empty: it does not. A key that sees none of a rule's geofences is " +
          "not shown the rule.",
      ),
    updated_at: instant.nullable().describe("When the rules last changed; null if none were ever set."),
  })
  .meta({
    id: "AlertSettings",
    description: "A device's alert rules, as they are now.",
    examples: [exampleAlertSettingsRecord],
  });
