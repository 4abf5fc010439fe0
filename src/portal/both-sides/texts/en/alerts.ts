import type { AlertType } from "../../../../domain/alert-types.ts";
import { plural } from "../plural.ts";

/** What happened; null: the name of the type says it all. */
type Sentence =
  | string
  | null
  | ((found: {
      /** Null: it lasts. */
      readonly value: string | null;
      readonly limit: string | null;
      /** Of the sensor or the fence; undefined: nobody knows it any more. */
      readonly name: string | undefined;
    }) => string);

const types: Readonly<Record<AlertType, string>> = {
  speeding: "Speeding",
  geofence_enter: "Geofence entered",
  geofence_exit: "Geofence left",
  sos: "SOS",
  crash: "Crash",
  power_cut: "Power cut",
  tampering: "Tampering",
  jamming: "Jamming",
  harsh_acceleration: "Harsh acceleration",
  harsh_braking: "Harsh braking",
  harsh_cornering: "Harsh cornering",
  towing: "Towing",
  unauthorised_movement: "Unauthorised movement",
  idling: "Idling",
  low_battery: "Low battery",
  low_external_voltage: "Low vehicle voltage",
  fuel_drain: "Fuel drain",
  fuel_refill: "Refuelling",
  temperature_high: "Temperature too high",
  temperature_low: "Temperature too low",
  tyre_pressure_low: "Low tyre pressure",
  tyre_temperature_high: "Tyre too hot",
  gps_lost: "No position",
  device_offline: "Tracker offline",
};

const sentences: Readonly<Record<AlertType, Sentence>> = {
  speeding: ({ value, limit }) => `${value} where ${limit} is allowed`,
  sos: "The panic button was pressed",
  crash: "The tracker reports a crash",
  power_cut: "The tracker was cut off from the vehicle's power",
  tampering: "The tracker reports that it was tampered with",
  jamming: "The tracker reports that its radio is jammed",
  harsh_acceleration: null,
  harsh_braking: null,
  harsh_cornering: null,
  towing: "The vehicle was moved with its ignition off",
  unauthorised_movement: "The vehicle was driven at a time when it should stand",
  geofence_enter: ({ name = "a geofence" }) => `Entered ${name}`,
  geofence_exit: ({ name = "a geofence" }) => `Left ${name}`,
  idling: ({ value, limit }) =>
    value === null
      ? `The engine has been running at a standstill for over ${limit}`
      : `The engine ran at a standstill for ${value}`,
  gps_lost: ({ value, limit }) =>
    value === null ? `No position for over ${limit} of a trip` : `No position for ${value} of a trip`,
  device_offline: ({ limit }) => `Nothing heard for ${limit}`,
  fuel_drain: ({ value, name }) => `${value} taken from ${name}`,
  fuel_refill: ({ value, name }) => `${value} filled into ${name}`,
  low_battery: ({ value, limit }) => `The tracker's battery is at ${value}, below ${limit}`,
  low_external_voltage: ({ value, limit }) => `The vehicle's supply is at ${value}, below ${limit}`,
  temperature_high: ({ value, name, limit }) => `${value} at ${name}, above ${limit}`,
  temperature_low: ({ value, name, limit }) => `${value} at ${name}, below ${limit}`,
  tyre_temperature_high: ({ value, name, limit }) => `${value} in ${name}, where ${limit} is already hot`,
  tyre_pressure_low: ({ value, name, limit }) => `${value} in ${name}, where ${limit} is already low`,
};

export const alerts = {
  loading: "Loading the alerts",
  severities: { critical: "Critical", warning: "Warning", info: "Info" },
  states: { open: "Open", acknowledged: "Acknowledged", all: "All" },
  state: "State",
  severity: "Severity",
  filters: "Filters",
  type: "Type",
  allTypes: "All types",
  lastMonth: "Last 31 days",
  firstDay: "First day",
  lastDay: "Last day",
  open: (count: number, shown: string) => plural(count, shown, "new alert", "new alerts"),
  notLive: "Not live at the moment",
  newOnes: (count: number, shown: string) => plural(count, shown, "new alert", "new alerts"),
  isNew: "New",
  showOnMap: (type: string, vehicle: string, time: string) => `${type}, ${vehicle}, ${time}: show on the map`,
  lastsStill: "still going on",
  lasted: (duration: string) => `for ${duration}`,
  // Acknowledging.
  acknowledge: "Acknowledge",
  acknowledgeOne: (type: string, vehicle: string) => `Acknowledge: ${type}, ${vehicle}`,
  acknowledgeCount: (shown: string) => `Acknowledge ${shown}`,
  acknowledging: "Acknowledging…",
  allOfDay: (type: string, day: string) => `All “${type}” of ${day}`,
  acknowledgedBy: (name: string) => `Acknowledged by ${name}`,
  anotherPerson: "another person",
  acknowledgedOne: "Alert acknowledged",
  acknowledgedCount: (count: number, shown: string) =>
    plural(count, shown, "alert acknowledged", "alerts acknowledged"),
  showThem: "Show the acknowledged ones",
  select: (type: string, vehicle: string, time: string) => `Select: ${type}, ${vehicle}, ${time}`,
  selectAll: (shown: string) => `Select all ${shown} shown`,
  selected: (count: number, shown: string) => plural(count, shown, "selected", "selected"),
  // Nothing to show.
  nothingFits: "No alert matches",
  nothingOpen: "Nothing to do",
  nothingOpenText: "No alert of this kind in this period.",
  showAll: "Show all of the last 31 days",
  noneAtAll: "No alerts in 31 days",
  fromRules: "Alerts come from the rules of each vehicle.",
  changeRules: "Change the rules",
  ownerSetsRules: "The owner of the account sets them.",
  // Sensors that trackers name by number.
  tank: (number: string) => `Tank ${number}`,
  wheel: (axle: string, wheel: string) => `Axle ${axle}, wheel ${wheel}`,
  types,
  sentences,
};
