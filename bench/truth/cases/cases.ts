import type { Case } from "../bench.ts";
import { believed } from "./believed.ts";
import { carried } from "./carried.ts";
import { clockTimes } from "./clocks.ts";
import { excursions } from "./excursions.ts";
import { kilometres } from "./kilometres.ts";
import { parkedNoise } from "./parked.ts";
import { silence } from "./silence.ts";
import { simulator } from "./simulator.ts";
import { slow } from "./slow.ts";
import { speeding } from "./speeding.ts";
import { topSpeed } from "./top-speed.ts";
import { trips } from "./trips.ts";
import { visits } from "./visits.ts";

export const cases: readonly Case[] = [
  kilometres,
  slow,
  parkedNoise,
  excursions,
  believed,
  trips,
  visits,
  silence,
  carried,
  clockTimes,
  simulator,
  topSpeed,
  speeding,
];
