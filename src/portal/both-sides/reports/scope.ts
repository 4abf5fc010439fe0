import type { Period } from "../periods/period.ts";
import type { ChosenDevices, DevicesById } from "../vehicles/devices.ts";
import type { ListScope } from "./row-source.ts";

/** What a report is about: which days, and which vehicles. All of it is in the address. */
export interface ReportScope {
  readonly period: Period;
  /** The account's time zone, whose days these are. */
  readonly zone: string;
  readonly devices: DevicesById | null;
  readonly chosen: ChosenDevices;
  /** Whether anybody's driver is known. */
  readonly hasDrivers: boolean;
  /** What to ask the API for; null until it is known which vehicles are meant. */
  readonly list: ListScope | null;
}

/** Once it is known which vehicles are meant. */
export interface ReadyScope extends ReportScope {
  readonly list: ListScope;
}
