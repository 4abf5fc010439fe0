/** A nautical mile is 1.852 km, a mile 1.609344 km, both exactly. */
const kmhPer = { kmh: 1, knots: 1.852, mph: 1.609344, ms: 3.6 } as const;

export type SpeedUnit = keyof typeof kmhPer;

export const speedUnits = Object.keys(kmhPer) as readonly SpeedUnit[];

/** To the thousandth: 3 km/h that a gateway sent in knots must not become 3.000001, above a limit of 3. */
export function toKmh(speed: number, unit: SpeedUnit): number {
  return unit === "kmh" ? speed : rounded(speed * kmhPer[unit], 1e3);
}

/** To the millimetre, without the digits that dividing adds. */
export function metresToKm(metres: number): number {
  return rounded(metres / 1000, 1e6);
}

export function fractionToPercent(fraction: number): number {
  return rounded(fraction * 100, 1e3);
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
