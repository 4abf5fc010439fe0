import { mileagePeriods, sumGroups } from "../../store/facts/mileage-sums.ts";
import { oneOf, shortText } from "./filters.ts";
import type { Parameter } from "./parameter.ts";

export const sumPeriod = oneOf(
  "period",
  mileagePeriods,
  "One row for each day, week (from Monday) or month, or one for the whole window.",
  "month",
  "total",
);

export const sumGroup = oneOf(
  "group_by",
  sumGroups,
  "Sums of each device, of the devices with each tag, of each driver, or of all devices. A device with two tags counts in " +
    "each; devices without one are the last rows, whose `tag` is null. Tags are those of now. By driver: the trips of each, cut " +
    "at midnight as days are; ways without a driver are the last rows, whose `driver_id` is null.",
  "device",
  "device",
);

export const drivenBy: Parameter<string> = {
  ...shortText,
  name: "driver_id",
  description:
    "Only what was driven with this driver's tag or card: its id, as in frames. An unknown one gives an empty page.",
  example: "0000001A2B3C4D5E",
};
