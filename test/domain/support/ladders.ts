import type { Frame, SensorReport } from "../../../src/domain/frame.ts";
import { noReport } from "../../support/random-drive.ts";

/**
 * Trackers for which something grows from rung to rung by less than a tenth: whatever the bound of a rule is, one rung is just below
 * it and the next just above, so that a bound that is moved by a tenth is seen.
 */
function ladder(from: number, to: number, factor = 1.08): number[] {
  const rungs: number[] = [];
  for (let value = from; value < to; value *= factor) rungs.push(value);
  return rungs;
}

const begin = Date.UTC(2026, 2, 2, 5);
const metresPerDegree = 111_195;
const fuel = (volume_l: number, sensor = "tank"): SensorReport => ({
  kind: "fuel",
  sensor,
  level_percent: null,
  volume_l,
});
const warmth = (temperature_c: number, sensor = "cargo"): SensorReport => ({
  kind: "temperature",
  sensor,
  temperature_c,
  humidity_percent: null,
});
const tyre = (pressure_kpa: number, temperature_c: number, wheel = 1): SensorReport => ({
  kind: "tyre",
  ...{ sensor: `wheel_${wheel}`, axle: 1, wheel, pressure_kpa, temperature_c },
});

class Tracker {
  readonly frames: Frame[] = [];
  odometerKm = 1000;
  /** Forth or back: far from where it began a degree is no longer as long. */
  way: 1 | -1 = 1;
  #at = begin;
  #east = 0;
  #north = 0;
  #turn = 0;

  /** A while passes, in which it drives so fast; then it sends. */
  send(seconds: number, kmh: number, report: Partial<Frame> = {}, offM = 0): void {
    this.#at += Math.round(seconds * 1000);
    this.#turn += seconds / 90;
    this.#east += this.way * (kmh / 3.6) * seconds * Math.sin(this.#turn % 1.2);
    this.#north += this.way * (kmh / 3.6) * seconds * Math.cos(this.#turn % 1.2);
    this.frames.push({
      ...noReport,
      recordedAt: this.#at,
      receivedAt: this.#at + 2000,
      digest: this.frames.length,
      latitude: Math.round((48 + (this.#north + offM) / metresPerDegree) * 1e6) / 1e6,
      longitude: Math.round((11 + this.#east / metresPerDegree / 0.669) * 1e6) / 1e6,
      satellites: 9,
      speed_kmh: Math.round(kmh * 10) / 10,
      ...report,
    });
  }

  drive(seconds: number, kmh: number, report: Partial<Frame> = {}, stepS = 10): void {
    for (let left = seconds; left > 0; left -= stepS) this.send(Math.min(stepS, left), kmh, report);
  }
}

const turnOf = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;

/** Falls silent for ever longer while it speeds, idles, stands, and while values are beyond their limits. */
function silences(tracker: Tracker): void {
  for (const [index, seconds] of ladder(20, 110_000).entries()) {
    const sensors = [warmth(11), tyre(500, 120), fuel(50)];
    const report = { ignition: turnOf([true, null, false], index), sensors, battery_percent: 8 };
    tracker.drive(40, 95, report);
    tracker.send(seconds, Math.min(turnOf([0, 95, 30], index), 150_000 / seconds), report);
    if (index % 2 === 0) tracker.drive(30, 95, report);
    else tracker.drive(60, 0, { ...report, sensors: [warmth(5)], battery_percent: 50 });
  }
}

/** Stands for ever longer between drives. */
function stands(tracker: Tracker): void {
  for (const ignition of [true, false, null])
    for (const [index, seconds] of ladder(15, 1_300).entries()) {
      tracker.drive(70, 20 + 4 * (index % 9), { ignition: ignition === null ? null : true });
      tracker.drive(seconds, 0, { ignition, speed_kmh: index % 3 === 0 ? null : 0 }, seconds > 200 ? 45 : 15);
    }
}

/** Drives ever farther and faster between stands: single hops, short trips, and frames that are off by as much. */
function hops(tracker: Tracker): void {
  for (const ignition of [false, null, true])
    for (const [index, metres] of ladder(8, 1_500).entries()) {
      const report = { ignition, accuracy_m: turnOf([null, 10, 30, 90], index), speed_kmh: null };
      tracker.drive(240, 0, report, 60);
      const seconds = turnOf([10, 30, 60], index);
      if (index % 2 === 0) for (let left = 1 + (index % 4); left > 0; left--) tracker.send(seconds, 0, report, metres);
      else tracker.drive(seconds * 2, Math.min(200, (metres / seconds) * 1.8), report, seconds);
    }
}

/** Goes ever faster, in steps of several lengths, with and without saying so. */
function paces(tracker: Tracker): void {
  for (const stepS of [5, 20, 75])
    for (const [index, kmh] of ladder(1, 320).entries()) {
      const speed_kmh = turnOf([Math.round(kmh * 10) / 10, null, 0, Math.round(kmh * 15) / 10], index);
      tracker.drive(stepS * 5, kmh, { ignition: index % 2 === 0 ? true : null, speed_kmh }, stepS);
      tracker.drive(stepS * 2, 40, { speed_kmh: 40 }, stepS);
    }
}

/** Sends ever higher values, and then ever lower ones. */
function values(tracker: Tracker): void {
  const up = Array.from({ length: 160 }, (_, index) => index / 160);
  for (const share of [...up, ...up.toReversed()]) {
    const sensors = [warmth(0.5 + 10 * share), tyre(400 + 350 * share, 70 + 45 * share), fuel(30 + 50 * share)];
    const battery_percent = Math.round(60 * share);
    tracker.send(60, 0, { ignition: true, sensors, battery_percent, external_voltage_v: 10 + 4 * share });
  }
  for (const [index, value] of ladder(0.2, 6_000).entries()) {
    const sign = index % 2 === 0 ? 1 : -1;
    const own = { accuracy_m: value, hdop: value / 10, satellites: index % 10, odometer_km: 900 + value };
    const sensors = [warmth(sign * value), tyre(value, sign * value), fuel(value)];
    tracker.send(70, 30, { ...own, sensors, external_voltage_v: value, battery_percent: value / 10 });
    // Ever more sensors at once.
    const many = Array.from({ length: index % 24 }, (_, number) => number);
    const more = many.flatMap((each) => [warmth(12, `cargo_${each}`), tyre(500, 40, each), fuel(40, `tank_${each}`)]);
    tracker.send(70, 30, { sensors: more });
  }
}

/** Fills and loses ever more fuel, standing for a while. */
function tanks(tracker: Tracker): void {
  let litres = 45;
  for (const [index, change] of ladder(1, 40, 1.05).entries()) {
    const from = litres;
    litres = litres > 45 ? litres - change : litres + change;
    const ignition = turnOf([true, false, null], index);
    const standS = turnOf([60, 110, 128, 200, 280, 320, 700], index);
    for (let each = 0; each < 5; each++) tracker.send(60, 50, { ignition: true, sensors: [fuel(from - each / 9)] });
    for (let each = 1; each <= 6; each++) {
      const now = from + ((litres - from) * Math.min(each, 4)) / 4;
      tracker.send(
        standS / 4,
        0,
        { ignition, sensors: [fuel(turnOf([now, litres, now], index))] },
        each * (index % 5) * 5,
      );
    }
    for (let each = 0; each < 5; each++) tracker.send(60, 50, { ignition: true, sensors: [fuel(litres - each / 9)] });
  }
}

/** Loses ever more fuel at night, while its sensor has no power; the nights grow, too. */
function nights(tracker: Tracker): void {
  const hours = ladder(0.3, 9, 1.1);
  let litres = 85;
  for (const [index, change] of ladder(2, 20, 1.05).entries()) {
    const road = (level: number, minutes: number) => {
      for (let each = 0; each < minutes * 2; each++)
        tracker.send(30, 50, { ignition: true, sensors: [fuel(level + turnOf([0.4, -0.3, 0.1], each))] });
    };
    road(litres, turnOf([4, 9, 12], index));
    tracker.send(30, 0, { ignition: false });
    const silenceS = 3600 * (hours[index % hours.length] ?? 1);
    tracker.send(silenceS, turnOf([0, 0, 2], index), { ignition: false });
    litres -= change;
    road(litres, turnOf([9, 10.5, 12, 14], index));
    if (litres < 30) litres = 85;
  }
}

/** Has an odometer that is off by ever more, or counts in ever longer steps. */
function odometers(tracker: Tracker): void {
  for (const stepS of [12, 60, 120])
    for (const [index, share] of ladder(0.02, 0.6).entries()) {
      const factor = index % 2 === 0 ? 1 + share : 1 - share;
      let km = 1000;
      for (let each = 0; each < 20; each++) {
        km += ((60 * stepS) / 3600) * factor;
        const odometer_km = index % 3 === 0 ? Math.floor(km) : Math.round(km * 1000) / 1000;
        tracker.send(stepS, 60, { odometer_km, speed_kmh: index % 4 === 3 ? null : 60 });
      }
      // A day each: what it is off by on another does not count.
      tracker.send(86_400, 0, { odometer_km: km });
    }
}

/** A day on which the odometer is right, and one of 40 km on which it is off by so much: if that day does not say, it is believed. */
function odometerDay(tracker: Tracker, stepS: number, factor: number, speed_kmh: number | null): void {
  const reading = () => ({ odometer_km: Math.round(tracker.odometerKm * 1000) / 1000 });
  const drive = (seconds: number, everyS: number, off: number, kmh: number | null) => {
    for (let left = seconds; left > 0; left -= everyS) {
      tracker.odometerKm += (everyS / 60) * off;
      tracker.send(everyS, 60, { ...reading(), speed_kmh: kmh });
    }
    tracker.send(86_400, 0, reading());
  };
  drive(480, 12, 1, 60);
  tracker.way = tracker.way === 1 ? -1 : 1;
  drive(2400, stepS, factor, speed_kmh);
}

/** Has an odometer that is off by ever more, with positions of every kind of distance. */
function odometersOff(tracker: Tracker): void {
  for (const stepS of [12, 40, 100, 300, 800])
    for (const speed_kmh of [60, null])
      for (const share of ladder(0.02, 1.3, 1.04)) {
        odometerDay(tracker, stepS, 1 + share, speed_kmh);
        if (share < 0.3) odometerDay(tracker, stepS, 1 - share, speed_kmh);
      }
}

/** Has an odometer that is off, and ever rarer positions. */
function odometersSeldom(tracker: Tracker): void {
  for (const share of [0.05, 0.12, 0.3, 0.7])
    for (const speed_kmh of [60, null])
      for (const stepS of ladder(10, 800)) odometerDay(tracker, Math.round(stepS), 1 + share, speed_kmh);
}

/** Shares its IMEI with another tracker, that is ever farther off, or silent for ever longer. */
function twins(tracker: Tracker): void {
  const turns = (count: number, metres: number, stepS = 15, otherS = 5, kmh = 0) => {
    for (let each = 0; each < count; each++) {
      tracker.send(stepS, kmh, { ignition: true });
      tracker.send(otherS, 0, { ignition: false }, metres);
    }
  };
  // Ever slower from one to the other and back.
  for (const kmh of ladder(60, 260, 1.05)) {
    const seconds = Math.round((3000 * 3.6) / kmh);
    turns(14, 3000, seconds, seconds);
    tracker.send(7200, 0);
  }
  // The first drives, and then stands for ever longer before the other leaves.
  for (const seconds of ladder(110, 280, 1.06)) {
    turns(12, 3000, 15, 5, 40);
    turns(Math.round(seconds / 10), 3000, 5, 5);
    turns(3, 3000 + 170, 5, 5);
    turns(3, 3000 + 340, 5, 5);
    tracker.send(7200, 0);
  }
  for (const metres of ladder(350, 700, 1.05)) {
    turns(12, metres);
    tracker.send(7200, 0);
  }
  for (const seconds of ladder(600, 1300, 1.05)) {
    turns(12, 3000);
    // The first is silent, and the other goes on.
    for (let each = 0; each < 4; each++) tracker.send(seconds / 4, 0, {}, 3000);
    turns(4, 3000);
    tracker.send(7200, 0);
  }
  for (const seconds of ladder(2500, 5000, 1.05)) {
    turns(12, 3000);
    for (let left = seconds; left > 0; left -= 300) tracker.send(300, 0);
    turns(3, 3000);
    tracker.send(7200, 0);
  }
}

/** Repeats a place, at a speed, for ever longer and ever faster. */
function frozen(tracker: Tracker): void {
  const repeat = (seconds: number, speed_kmh: number, goesOn: boolean) => {
    tracker.drive(200, 60, { ignition: true });
    const { latitude, longitude } = tracker.frames.at(-1) as Frame;
    for (let left = seconds; left > 0; left -= 20)
      tracker.send(Math.min(20, left), goesOn ? 60 : 0, { ignition: true, latitude, longitude, speed_kmh });
    tracker.drive(200, 60, { ignition: true });
  };
  for (const goesOn of [true, false]) {
    for (const seconds of ladder(500, 1300, 1.05)) repeat(seconds, 40, goesOn);
    for (const kmh of ladder(6, 15, 1.05)) repeat(240, Math.round(kmh * 10) / 10, goesOn);
  }
}

/** Wavers ever more about one place, or turns ever more at each corner, without a speed. */
function wavering(tracker: Tracker): void {
  for (const stepS of [2, 12, 36, 44])
    for (const metres of ladder(30, 420, 1.1)) {
      tracker.drive(stepS * 6, 60, { speed_kmh: null }, stepS);
      for (let each = 0; each < 30; each++) tracker.send(stepS, 0, { speed_kmh: null }, metres * Math.sin(each * each));
    }
  for (const stepS of ladder(30, 55, 1.05)) {
    for (let each = 0; each < 40; each++) {
      const latitude = 48.3 + (90 * Math.sin(each * each)) / metresPerDegree;
      const longitude = 11 + (90 * Math.cos(1.3 * each * each)) / metresPerDegree / 0.665;
      tracker.send(stepS, 0, { latitude, longitude, speed_kmh: null });
    }
    tracker.send(7200, 0, { latitude: 48.3, longitude: 11, speed_kmh: null });
  }
  for (const degrees of ladder(30, 175, 1.03)) {
    let [east, north, heading] = [0, 0, 0];
    for (let each = 0; each < 40; each++) {
      heading += each % 2 === 0 ? (degrees * Math.PI) / 180 : -(110 * Math.PI) / 180;
      [east, north] = [east + 70 * Math.sin(heading), north + 70 * Math.cos(heading)];
      const place = { latitude: 48.5 + north / metresPerDegree, longitude: 11 + east / metresPerDegree / 0.663 };
      tracker.send(12, 0, { ...place, speed_kmh: null });
    }
    tracker.send(7200, 0, { latitude: 48.5, longitude: 11, speed_kmh: null });
  }
}

const all = {
  silences,
  stands,
  hops,
  paces,
  values,
  tanks,
  nights,
  odometers,
  odometersOff,
  odometersSeldom,
  twins,
  frozen,
  wavering,
};
export function framesOfLadders(): (readonly [string, Frame[]])[] {
  return Object.entries(all).map(([name, climb]) => {
    const tracker = new Tracker();
    climb(tracker);
    return [`ever more: ${name}`, tracker.frames] as const;
  });
}
