import { plural } from "../plural.ts";

export const yesterday = {
  loaded: (distance: string, vehicles: string) => `${distance}, ${vehicles} drove`,
  // The fleet in figures.
  thanDayBefore: (percent: string) => `${percent} on the day before`,
  thanDaysBefore: (percent: string) => `${percent} on the days before`,
  // Vehicle by vehicle.
  byVehicle: "By vehicle",
  barsMean: "What the bars mean",
  nothingDriven: "No vehicle drove.",
  belongs:
    "Distance and times count for the day they fall on, and idling also between trips; a trip or an alert counts for the day in which it began. The trips report lists whole trips, so its sums differ.",
  // What to look at.
  critical: "Open critical alerts",
  now: "now",
  noCritical: "None is open.",
  workThrough: "Go to the alerts",
  speeding: "Speeding",
  noSpeeding: "None of the vehicles that have a speed limit.",
  noLimits: "No vehicle has a speed limit, so speeding is not noticed.",
  setLimit: "Set a speed limit",
  noneReported: "No vehicle reported.",
  times: (count: number, shown: string) => plural(count, shown, "time", "times"),
  seconds: (seconds: string) => `${seconds} s`,
  worst: (speed: string, limit: string) => `${speed} where ${limit} is allowed`,
  silent: "Did not report",
  noneSilent: "Every vehicle reported.",
  lastHeard: "Last heard",
  neverHeard: "Never heard",
  still: "Did not move",
  noneStill: "Every vehicle that reported has moved.",
  fuel: "Fuel filled and lost",
  noFuel: "No tank was filled, and none lost fuel.",
  taken: (amount: string) => `${amount} filled`,
  lost: (amount: string) => `${amount} lost`,
  // Where the tank's capacity is not known.
  refills: (count: number, shown: string) => plural(count, shown, "refill", "refills"),
  losses: (count: number, shown: string) => plural(count, shown, "loss", "losses"),
  // Nothing to show.
  noVehiclesText: "As soon as you can see vehicles, this page shows what they did.",
  noneFits: "No vehicle matches the filters",
};
