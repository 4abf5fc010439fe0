import type { TrackerEvent } from "../kit/events.ts";

/**
 * Bits of the alarm field in all editions. Warnings that announce an alarm (3, 13, 14), a fault of
 * the card reader (12), which padlocks use otherwise, and times of a route (22) have no event.
 */
const always = {
  0: "sos",
  1: "overspeed",
  2: "fatigue_driving",
  4: "fault", // GNSS module
  5: "gps_antenna_cut",
  6: "gps_antenna_cut", // short circuit
  7: "low_battery", // main supply of the terminal, which is the battery where there is no other
  8: "power_cut",
  9: "fault", // display
  10: "fault", // speech
  11: "fault", // camera
  18: "fatigue_driving", // too long at the wheel today
  19: "parking",
  20: "geofence", // area
  21: "geofence", // route
  23: "geofence", // left the route
  24: "fault", // speed sensor
  25: "fuel_leak",
  26: "general", // stolen
  27: "general", // started without right
  28: "movement",
  29: "crash",
  30: "crash", // rolled over
  31: "door",
} as const satisfies Readonly<Record<number, TrackerEvent>>;

/** Free in the editions of 2011 and 2013: dashcams and locators report with them that they shake or were taken off. */
export const alarmBits2013: Readonly<Record<number, TrackerEvent>> = {
  ...always,
  15: "vibration",
  16: "tampering",
  17: "tampering",
};

/** The edition of 2019 gave these bits to offences, tyre pressure and the blind spot. */
export const alarmBits2019: Readonly<Record<number, TrackerEvent>> = { ...always, 15: "general", 16: "fault" };

/** Locators that send their battery as a level of ten use the free bits otherwise. */
export const alarmBitsOfLocators: Readonly<Record<number, TrackerEvent>> = {
  ...always,
  15: "low_battery",
  16: "vibration",
  17: "tampering",
};

/** What trackers of AOVX use, by the name of the model in their firmware: locators one bit, and VL300 two bits for something else. */
export const alarmBitsOfAovx: readonly (readonly [RegExp, Readonly<Record<number, TrackerEvent>>])[] = [
  [/^AOVX_(AL300|GL100)\b/, { 16: "movement" }],
  [/^AOVX_VL300\b/, without(alarmBits2013, 29, 30)],
];

function without(bits: Readonly<Record<number, TrackerEvent>>, ...left: readonly number[]) {
  return Object.fromEntries(Object.entries(bits).filter(([bit]) => !left.includes(Number(bit))));
}

/** Bits that have a meaning and no event: the owner sees them named. */
export const bitsWithoutEvent2013 = [3, 12, 13, 14, 22] as const;
export const bitsWithoutEvent2019 = [...bitsWithoutEvent2013, 17] as const;
