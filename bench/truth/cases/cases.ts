import type { Case } from "../bench.ts";
import { kilometres } from "./kilometres.ts";
import { parkedNoise } from "./parked.ts";

export const cases: readonly Case[] = [kilometres, parkedNoise];
