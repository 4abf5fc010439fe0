export interface AlertSettingsRow {
  readonly device_id: string;
  readonly imei: string;
  /** Null where no settings were ever loaded. */
  readonly rules_json: string | null;
  readonly updated_at: number | null;
}
