import type { TrackerEvent } from "../kit/events.ts";
import { decimalOf, namesOfFilled } from "../kit/text-values.ts";
import { meaningOfCode } from "./alerts.ts";
import { isPlace, type SuntechText, timeIn } from "./message.ts";
import { locatedFields, odometerOf, oldPlace, positionOf, type SuntechReport, unreadAround } from "./report.ts";

/** `ST910;Location;…`, `Emergency` and `Alert`: portable trackers. One layout has a cell before the place and a distance behind. */
export function readSt9({ header, kind, columns }: SuntechText): SuntechReport | null {
  const { timeAt, at } = timeIn(columns);
  const placeAt = columns.findIndex((latitude, index) => isPlace(latitude, columns[index + 1]));
  if (placeAt < 0 || !["Location", "Emergency", "Alert"].includes(kind)) return null;
  const [latitude, longitude, speed, course, fix, ...rest] = columns.slice(placeAt);
  const hasCell = placeAt > timeAt + 2;
  const event = eventOf(kind, codeOf(kind, hasCell, rest));
  return {
    what: `${event === null ? "position" : kind.toLowerCase()}, ${header}`,
    at,
    fields: {
      ...locatedFields(fix === "1", positionOf({ latitude, longitude, speed, course })),
      odometer_km: hasCell ? odometerOf(decimalOf(rest[0])) : null,
    },
    events: event === null ? [] : [event],
    unread: [
      ...unreadAround(columns, timeAt, placeAt),
      ...oldPlace(fix === "1", positionOf({ latitude, longitude })),
      ...namesOfFilled({ "voltage of its battery": rest[0], "columns at the end": rest.slice(1).join("") }),
    ],
  };
}

/** Only these numbers are known to mean what they mean in vehicles: the key, and fences. */
function eventOf(kind: string, code = ""): TrackerEvent | null {
  if (kind === "Location") return null;
  const isKnown = kind === "Emergency" ? code === "1" : /^[56](?:\d{3})?$/.test(code);
  const [event] = isKnown ? meaningOfCode(kind === "Emergency" ? "EMG" : "ALT", code).events : [];
  return event ?? "general";
}

/** Behind a distance, behind the voltage of the battery and a flag, or alone. With a cell, alerts have it nowhere that we know. */
function codeOf(kind: string, hasCell: boolean, rest: readonly string[]): string | undefined {
  if (hasCell) return kind === "Emergency" ? rest[1] : undefined;
  return rest[0]?.includes(".") ? rest[2] : rest.length === 1 ? rest[0] : undefined;
}
