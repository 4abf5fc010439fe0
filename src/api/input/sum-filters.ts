import { mileagePeriods, sumGroups } from "../../store/facts/mileage-sums.ts";
import { oneOf } from "./filters.ts";

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
