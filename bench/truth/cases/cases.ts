import type { Case } from "../bench.ts";
import { alarms } from "./alarms.ts";
import { believed } from "./believed.ts";
import { buses } from "./buses.ts";
import { carried } from "./carried.ts";
import { clockTimes } from "./clocks.ts";
import { excursions } from "./excursions.ts";
import { fares } from "./fares.ts";
import { kilometres } from "./kilometres.ts";
import { odometersCase } from "./odometers.ts";
import { parkedNoise } from "./parked.ts";
import { reception } from "./reception.ts";
import { silence } from "./silence.ts";
import { simulator } from "./simulator.ts";
import { slow } from "./slow.ts";
import { speeding } from "./speeding.ts";
import { speeds } from "./speeds.ts";
import { topSpeed } from "./top-speed.ts";
import { towed } from "./towed.ts";
import { trips } from "./trips.ts";
import { twoTrackers } from "./two-trackers.ts";
import { visits } from "./visits.ts";

export const cases: readonly Case[] = [
  kilometres,
  slow,
  parkedNoise,
  reception,
  speeds,
  excursions,
  believed,
  trips,
  visits,
  silence,
  carried,
  towed,
  alarms,
  clockTimes,
  odometersCase,
  buses,
  fares,
  twoTrackers,
  simulator,
  topSpeed,
  speeding,
];
