/** The groups of the routes, in the order shown. A route with another tag is not in the description. */
export const tags: Readonly<Record<string, string>> = {
  Changes: "Following a fleet: what became known, was corrected or was withdrawn.",
  Devices: "Vehicles with their trackers, and the alert settings of each.",
  Positions: "Where the vehicles are, and where they have been.",
  Trips: "Drives from one stop to the next.",
  Alerts: "Alarms and events, as the rules of each device raised them.",
  Sensors: "Readings of fuel, temperature and tyre sensors.",
  Geofences: "Areas, the devices they are assigned to, and the crossings of their borders.",
  Users: "Sub-accounts: who sees which part of the fleet.",
  Reports: "Summaries that are computed beforehand.",
  Service: "The service itself. Nothing here needs a key.",
};
