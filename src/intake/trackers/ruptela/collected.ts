import type { FuelReport, SensorReport } from "../../../domain/frame.ts";
import { textOf } from "../kit/bytes.ts";
import { fuelReport } from "../kit/sensors.ts";

/** By the source of the card, the two halves of its number as far as they have come. */
export type CardHalves = Map<string, [string, string]>;

/** No card: blanks, stars, or what the description of the bus writes for "not available". */
const noCard = /^[ *\0\xff]*$|^F+$/;

/** Whether it was read: a half of a card that is not there has no meaning. */
export function addHalf(cards: CardHalves, source: string, half: 0 | 1, value: Uint8Array): boolean {
  const text = textOf(value);
  if (!/^[ -~\0]*$/.test(text) || noCard.test(text)) return false;
  const halves = cards.get(source) ?? ["", ""];
  halves[half] = text;
  cards.set(source, halves);
  return true;
}

/** The number of the first driver's card; null: none, or not all of it. */
export function cardNumber(cards: CardHalves): string | null {
  for (const [first, second] of cards.values()) {
    if (first === "" || second === "") continue;
    const number = `${first}${second}`.replaceAll(/[\0*]/g, "").trim();
    if (number !== "") return number;
  }
  return null;
}

/** Percent and litres of one sensor are one report. */
export function addFuel(
  sensors: SensorReport[],
  sensor: string,
  value: Partial<Pick<FuelReport, "level_percent" | "volume_l">>,
): void {
  const at = sensors.findIndex((one) => one.kind === "fuel" && one.sensor === sensor);
  const before = sensors[at];
  if (before === undefined || before.kind !== "fuel")
    sensors.push(fuelReport(sensor, value.level_percent ?? null, value.volume_l ?? null));
  else sensors[at] = { ...before, ...value };
}
