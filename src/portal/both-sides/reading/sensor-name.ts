import type { Texts } from "../texts/texts.ts";

/** What people call a sensor: `tank_1` as "Tank 1", `axle_2_wheel_1` as "Axle 2, wheel 1". A name that a person gave stays. Pure. */
export function sensorName(sensor: string, { tank, wheel }: Pick<Texts["alerts"], "tank" | "wheel">): string {
  const [, tankNumber] = /^tank_(\d+)$/.exec(sensor) ?? [];
  if (tankNumber !== undefined) return tank(tankNumber);
  const [, axle, wheelNumber] = /^axle_(\d+)_wheel_(\d+)$/.exec(sensor) ?? [];
  if (axle !== undefined && wheelNumber !== undefined) return wheel(axle, wheelNumber);
  return /^[a-z0-9]+(_[a-z0-9]+)+$/.test(sensor) ? sensor.replaceAll("_", " ") : sensor;
}
