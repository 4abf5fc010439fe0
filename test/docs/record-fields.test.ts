import { expect, test } from "bun:test";
import { alert } from "../../src/api/records/alert.ts";
import { alertSettings } from "../../src/api/records/alert-settings.ts";
import { device } from "../../src/api/records/device.ts";
import { assignedGeofence } from "../../src/api/records/geofence.ts";
import { geofenceEvent } from "../../src/api/records/geofence-event.ts";
import { latestPosition } from "../../src/api/records/latest-position.ts";
import { mileageDay } from "../../src/api/records/mileage.ts";
import { mileagePeriod } from "../../src/api/records/mileage-period.ts";
import { position } from "../../src/api/records/position.ts";
import { positionAt } from "../../src/api/records/position-at.ts";
import { readingsByKind } from "../../src/api/records/reading.ts";
import { stop } from "../../src/api/records/stop.ts";
import { trip } from "../../src/api/records/trip.ts";
import { user } from "../../src/api/records/user.ts";

/** The fields of these records, each once. An example has every field. */
function fieldsOf(...records: readonly { readonly example: unknown }[]): string[] {
  return [...new Set(records.flatMap(({ example }) => Object.keys(example as object)))];
}

const positionFields = fieldsOf(position);
const fields: Readonly<Record<string, readonly string[]>> = {
  device: fieldsOf(device),
  position: positionFields,
  "latest position": [...fieldsOf(latestPosition).filter((name) => !positionFields.includes(name)), "distance_m"],
  "position at a time": fieldsOf(positionAt).filter((name) => !positionFields.includes(name)),
  trip: fieldsOf(trip),
  stop: fieldsOf(stop),
  alert: fieldsOf(alert),
  reading: fieldsOf(readingsByKind.fuel, readingsByKind.temperature, readingsByKind.tyre),
  geofence: fieldsOf(assignedGeofence),
  "geofence event": fieldsOf(geofenceEvent),
  user: fieldsOf(user),
  "alert settings": fieldsOf(alertSettings),
  "mileage row": fieldsOf(mileageDay),
  "mileage by period": fieldsOf(mileagePeriod),
};

const page = await Bun.file(new URL("../../docs/api.md", import.meta.url)).text();
const [, section = ""] = page.split(/^## (?:Records|Details)\n/m);

function namesIn(text: string): string[] {
  return [...new Set(text.match(/(?<=`)\w+(?=`)/g))];
}

test("api.md names every field of every record, in its order, and no other", () => {
  const documented = new Map<string, string[]>();
  for (const [, name = "", text = ""] of section.matchAll(/^- \*\*([^*]+)\*\*: (.*?)(?=\n- |\n\n)/gms)) {
    // In brackets stand values and parts. What follows the list of names is a sentence of its own.
    const [list = ""] = text.replaceAll(/\([^)]*\)/g, "").split(/\.\s/);
    documented.set(name, namesIn(list));
  }
  expect(Object.fromEntries(documented)).toEqual(fields as Record<string, string[]>);
});

test("api.md names every field of an alert rule", () => {
  const { rules } = alertSettings.example as { readonly rules: readonly object[] };
  const [, list = ""] = /`rules` \(([^)]*)\)/.exec(section) ?? [];
  expect(namesIn(list)).toEqual(Object.keys(rules[0] ?? {}));
});
