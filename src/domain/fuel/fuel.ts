import { alertKind } from "../alert-types.ts";
import { type AlertInput, tripDuring } from "../alerts/episode.ts";
import { maxSensorNameLength } from "../alerts/parameters.ts";
import { rulesHeldAt } from "../alerts/rules-in-force.ts";
import type { AlertFact } from "../facts.ts";
import { type Leg, lastSeenIn, type Sighting } from "../sighting.ts";
import { joinedLists, noFacts, type Step } from "../step.ts";
import { notAwake } from "./awake.ts";
import { type FuelThresholds, fuelStandingMetres, fuelThresholds } from "./level-change.ts";
import { readTank } from "./read-tank.ts";
import { isEmpty, type LevelChange, readLevel, type Tank, type TankReading } from "./tank.ts";

/** Two of the lorry and one of its cooler. A further sensor is followed only when one of these falls silent. */
const maxTanks = 3;

/** What was in a tank a week ago says nothing about today. */
const tankSilenceMs = 7 * 24 * 3_600_000;

/** Follows the tanks of a device, and reports refills and drains once they have lasted. */
export function stepFuel(tanks: readonly Tank[], input: AlertInput): Step<readonly Tank[], AlertFact> {
  const { frame } = input.sighting;
  let facts: readonly AlertFact[] = noFacts;
  let next = tanks.length === 0 ? tanks : moveTanks(tanks, input.sighting);
  for (const report of frame.sensors) {
    if (report.kind !== "fuel" || report.sensor === "" || report.sensor.length > maxSensorNameLength) continue;
    const capacityL = input.context.fuelTankCapacityL;
    const read = readLevel(report, capacityL);
    if (read === null) continue;
    const index = next.findIndex((tank) => tank.sensor === report.sensor);
    const known = next[index];
    if (known === undefined && next.length >= maxTanks) continue;
    // A tank whose capacity became known is read in another unit, and starts afresh.
    const tank = known?.unit === read.unit ? known : newTank(report.sensor, read.unit);
    const reading = readingOf(read.level, tank, input);
    if (read.level === 0 && !isEmpty(tank, reading, frame.ignition)) continue;
    const thresholds = fuelThresholds(capacityL);
    const after = readTank(tank, reading, thresholds);
    if (after.over !== null) facts = joinedLists(facts, fuelAlert(after.over, tank, thresholds, input));
    next = known === undefined ? withTank(next, after.tank) : next.with(index, after.tank);
  }
  return { state: next, facts };
}

/** What a frame does to the tanks before they are read: silent ones are dropped, the others add the distance driven. */
function moveTanks(tanks: readonly Tank[], { frame, fix, previous, leg }: Sighting): readonly Tank[] {
  // Carried, or unseen for a while: nobody knows how much was used on the way.
  if (fix !== null && previous !== null && leg === null) return [];
  const live = tanks.some((tank) => isSilent(tank, frame.recordedAt))
    ? tanks.filter((tank) => !isSilent(tank, frame.recordedAt))
    : tanks;
  if (leg === null || !hasDriven(leg)) return live;
  const metres = Math.round(leg.metres);
  return live.map((tank) => ({ ...tank, metres: tank.metres + metres }));
}

/** Drift while standing does not count as distance. */
function hasDriven({ from, to, metres }: Leg): boolean {
  return to.motion === "moving" || from.motion === "moving" || metres > fuelStandingMetres;
}

function newTank(sensor: string, unit: Tank["unit"]): Tank {
  return { sensor, unit, readings: [], past: [], change: null, metres: 0, ...notAwake };
}

/** In the order of their names, so that equal states have equal JSON. */
function withTank(tanks: readonly Tank[], added: Tank): readonly Tank[] {
  const before = tanks.findIndex((tank) => tank.sensor > added.sensor);
  return tanks.toSpliced(before === -1 ? tanks.length : before, 0, added);
}

function isSilent({ readings, past }: Tank, at: number): boolean {
  const last = readings[readings.length - 1] ?? past[past.length - 1];
  return last === undefined || at - last.at > tankSilenceMs;
}

function readingOf(level: number, { metres }: Tank, { sighting }: AlertInput): TankReading {
  const { frame, fix } = sighting;
  const { latitude, longitude } = lastSeenIn(sighting);
  return {
    at: frame.recordedAt,
    receivedAt: frame.receivedAt,
    level,
    isStill: fix?.motion === "still" || (frame.ignition === false && fix?.motion !== "moving"),
    isIgnitionOn: frame.ignition === true,
    metres,
    latitude,
    longitude,
  };
}

function fuelAlert(
  { change, amount }: { readonly change: LevelChange; readonly amount: number },
  { sensor, unit }: Tank,
  thresholds: FuelThresholds,
  input: AlertInput,
): readonly AlertFact[] {
  const { alertType, at, latitude, longitude, updatedAt } = change;
  const { receivedAt } = input.sighting.frame;
  const rule = rulesHeldAt(input, at).byType[alertType];
  if (rule === null) return noFacts;
  const { severity, message } = alertKind(alertType);
  const threshold = alertType === "fuel_refill" ? thresholds.refill : thresholds.drain;
  return [
    {
      kind: "alert",
      alertType,
      qualifier: sensor,
      occurredAt: at,
      endedAt: at,
      severity: rule.severity ?? severity,
      message: message({ name: sensor, value: amount, threshold, unit }),
      receivedAt,
      updatedAt: Math.max(updatedAt, receivedAt),
      latitude,
      longitude,
      speedKmh: null,
      value: Math.round(amount * 10) / 10,
      threshold,
      unit,
      fenceId: null,
      tripFoundAt: tripDuring(input, at),
    },
  ];
}
