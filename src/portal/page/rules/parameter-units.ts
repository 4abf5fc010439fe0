import { type AlertParameter, type AlertType, alertKind } from "../../../domain/alert-types.ts";
import type { Show } from "../../both-sides/reading/show.ts";

/** How a number of a rule is shown and entered, in the person's units. */
export interface ShownNumber {
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly toShown: (stored: number) => number;
  readonly toStored: (shown: number) => number;
}

interface Scale {
  readonly unit: string;
  readonly factor: number;
  readonly offset?: number;
}

/** Null: the parameter is no number. */
export function shownNumber(
  type: AlertType,
  name: string,
  show: Show,
  words: { readonly minutes: string; readonly hours: string },
): ShownNumber | null {
  const kind = alertKind(type).parameters[name];
  if (kind?.kind !== "number" && kind?.kind !== "by_axle") return null;
  const { unit, factor, offset = 0 } = scaleOf(kind, show, words);
  const toShown = (stored: number) => rounded(stored * factor + offset, 2);
  const { min, max } = kind;
  return {
    unit,
    // Rounded inwards, so that the bounds themselves are accepted.
    min: Math.ceil((min * factor + offset) * 100) / 100,
    max: Math.floor((max * factor + offset) * 100) / 100,
    toShown,
    toStored: (shown) => Math.min(max, Math.max(min, rounded((shown - offset) / factor, 4))),
  };
}

function scaleOf(
  { unit, default: usual }: Extract<AlertParameter, { readonly kind: "number" | "by_axle" }>,
  show: Show,
  words: { readonly minutes: string; readonly hours: string },
): Scale {
  switch (unit) {
    case "km/h":
      return { unit: show.speedUnit, factor: show.speedIn(1) };
    case "°C": {
      const offset = show.temperatureIn(0);
      return { unit: show.temperatureUnit, factor: show.temperatureIn(1) - offset, offset };
    }
    case "s":
      // A day of silence is not counted in minutes.
      return usual !== null && usual > 3600
        ? { unit: words.hours, factor: 1 / 3600 }
        : { unit: words.minutes, factor: 1 / 60 };
    case "kPa":
      return { unit: show.pressureUnit, factor: show.pressureIn(1) };
    case "%":
    case "V":
      return { unit, factor: 1 };
  }
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
