// Writes yesterday's mileage to mileage-DATE.csv, one row for each vehicle that was heard of. Yesterday is that of the
// account's time zone. Run it by cron, an hour or more after that zone's midnight:
//
//   15 5 * * *  cd /srv/reports && FLEET_URL=https://fleet.example/v1 FLEET_KEY=odo_… bun mileage-csv.ts
//
// Trackers send late. `bun mileage-csv.ts 2026-11-14` writes that day again, with what has become known since. The key
// needs the scope reports:read. Node runs it, too, from version 22.18 on: node mileage-csv.ts
import { renameSync, writeFileSync } from "node:fs";
import { type MileageRow, OdographClient } from "odograph-client";

const dayMs = 86_400_000;
const columns = ["date", "name", "plate", "imei", "distance_km", "trip_count", "driving_s", "idle_s"] as const;

const odograph = new OdographClient({ url: process.env.FLEET_URL ?? "", key: process.env.FLEET_KEY ?? "" });
const nextDay = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Each row says of which zone its day is; the newest says the account's present one. */
async function yesterday(): Promise<string> {
  const { data } = await odograph.reportMileage({ from: new Date(Date.now() - 31 * dayMs) });
  const newest = data.reduce<MileageRow | null>((one, row) => (one && one.date > row.date ? one : row), null);
  // Swedish dates are those of ISO 8601.
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: newest?.time_zone ?? "UTC" }).format(new Date());
  return nextDay(today, -1);
}

/** In quotes where it must be. A text that a spreadsheet would take for a formula gets an apostrophe. */
function cell(value: string | number | null): string {
  if (typeof value === "number" || value === null) return String(value ?? "");
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const date = process.argv[2] ?? (await yesterday());
if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`expected a date such as 2026-11-14, got "${date}"`);

// A date without a time is midnight of the account's zone: from this one to the next is the day, be it of 23 or 25 hours.
const { data } = await odograph.reportMileage({ from: date, to: nextDay(date, 1) });
const rows = data.map((row) => columns.map((column) => cell(row[column])).join(","));
const file = `mileage-${date}.csv`;
// Renamed when it is complete: whoever reads the folder meanwhile finds all of it or nothing.
writeFileSync(`${file}.new`, [columns.join(","), ...rows, ""].join("\r\n"));
renameSync(`${file}.new`, file);
console.log(`${file}: ${rows.length} vehicles`);
