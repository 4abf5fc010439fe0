import { mileageGroups, mileagePeriods, sumGroups } from "../../store/facts/mileage-sums.ts";
import { choiceParameter, type Parameter } from "./parameter.ts";

export const sumPeriod = choiceParameter(
  "period",
  mileagePeriods,
  "One row for each day, week (from Monday) or month, or one for the whole window.",
  "month",
  "total",
);

export const sumGroup = choiceParameter(
  "group_by",
  sumGroups,
  "Sums of each device, of the devices with each tag, of each driver, or of all devices. A device with two tags counts in " +
    "each; devices without one are the last rows, whose `tag` is null. Tags are those of now. By driver: the trips of each, cut " +
    "at midnight as days are; ways without a driver are the last rows, whose `driver_id` is null.",
  "device",
  "device",
);

/** Before 2.0 sums were rows of the report by days. They still are, for whoever asks so. */
export const period = deprecated(
  choiceParameter(
    "period",
    mileagePeriods,
    "Deprecated: `/reports/mileage/sums` has sums, and rows that this description knows. With it, or with `group_by`, rows are " +
      "sums, without pages. Default with `group_by`: `day`.",
    "month",
  ),
);
export const groupBy = deprecated(
  choiceParameter(
    "group_by",
    mileageGroups,
    "Deprecated: `/reports/mileage/sums` has sums, and rows that this description knows. Default with `period`: `device`.",
    "device",
  ),
);

function deprecated<Value>(parameter: Parameter<Value>): Parameter<Value> {
  return { ...parameter, isDeprecated: true };
}
