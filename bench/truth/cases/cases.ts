import type { Case } from "../bench.ts";
import { carried } from "./carried.ts";
import { excursions } from "./excursions.ts";
import { kilometres } from "./kilometres.ts";
import { parkedNoise } from "./parked.ts";
import { silence } from "./silence.ts";
import { slow } from "./slow.ts";
import { trips } from "./trips.ts";

export const cases: readonly Case[] = [kilometres, slow, parkedNoise, excursions, trips, silence, carried];
