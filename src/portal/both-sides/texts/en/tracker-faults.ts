export const trackerFaults = {
  fast: (by: string) => `Its tracker's clock is ${by} fast.`,
  slow: (by: string) => `Its tracker's clock is ${by} slow.`,
  notBelieved:
    "Its reports seem to come from the future, so none of them is believed: no trips, no kilometres, no alerts.",
  wrongTimes: "Its trips, alerts and positions are shown at wrong times.",
  remedy: "Once the portal knows what the clock shows, further reports are right:",
  set: (clock: string) => `set it to ${clock}`,
  ownerSets: "Only the owner can set it.",
  twins: {
    what: "Two trackers use its IMEI.",
    so: "Reports alternate between two places that are far apart. One of them has the wrong IMEI set, or a copy of the other's settings; or this one keeps sending an old place. The vehicle follows the one that drives.",
  },
};
