export const severities = ["info", "warning", "critical"] as const;

export type Severity = (typeof severities)[number];

/** Every alert that Odograph raises, with its severity unless a device's settings name another. */
export const defaultSeverityByAlertType = {
  speeding: "warning",
  geofence_enter: "info",
  geofence_exit: "info",
  sos: "critical",
  crash: "critical",
  power_cut: "critical",
  tampering: "critical",
  jamming: "critical",
  harsh_acceleration: "warning",
  harsh_braking: "warning",
  harsh_cornering: "warning",
  towing: "critical",
  idling: "info",
  low_battery: "warning",
  low_external_voltage: "warning",
  fuel_drain: "critical",
  fuel_refill: "info",
  temperature_high: "warning",
  temperature_low: "warning",
  tyre_pressure_low: "warning",
  tyre_temperature_high: "warning",
  gps_lost: "warning",
  device_offline: "warning",
} as const satisfies Record<string, Severity>;

export type AlertType = keyof typeof defaultSeverityByAlertType;

export const alertTypes = Object.keys(defaultSeverityByAlertType) as readonly AlertType[];
