// Writes yesterday's mileage to mileage-DATE.csv, one row for each vehicle that was heard of. Yesterday is that of the
// account's time zone. Run it by cron, an hour or more after that zone's midnight:
//
//   15 5 * * *  cd /srv/reports && FLEET_URL=https://fleet.example/v1 FLEET_KEY=odo_… bun mileage-csv.ts
//
// Trackers send late. `bun mileage-csv.ts 2026-11-14` writes that day again, with what has become known since. The key
// needs the scope reports:read. Node runs it, too, from version 22.18 on: node mileage-csv.ts
import { renameSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type MileageRow, OdographClient } from "odograph-client";

const dayMs = 86_400_000;
const url = process.env.FLEET_URL ?? "";
const key = process.env.FLEET_KEY ?? "";
const odograph = new OdographClient({ url, key });
const nextDay = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Each row says of which zone its day is; the newest says the account's present one. */
async function yesterday(): Promise<string> {
  const { data } = await odograph.reportMileage({ from: new Date(Date.now() - 31 * dayMs) });
  const newest = data.reduce<MileageRow | null>((one, row) => (one && one.date > row.date ? one : row), null);
  // Swedish dates are those of ISO 8601.
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: newest?.time_zone ?? "UTC" }).format(new Date());
  return nextDay(today, -1);
}

/** The API writes CSV itself, and so that a spreadsheet takes no name for a formula. Tries again for two minutes. */
async function readCsv(from: string, to: string): Promise<string> {
  const address = `${url}/reports/mileage?${new URLSearchParams({ from, to, format: "csv" })}`;
  for (let pauseS = 4; ; pauseS *= 2) {
    const call = { headers: { "X-API-Key": key }, signal: AbortSignal.timeout(60_000) };
    const answer = await fetch(address, call)
      .then(async (found) => ({ found, text: await found.text() }))
      .catch(String);
    if (typeof answer !== "string" && answer.found.ok) return answer.text;
    const problem = typeof answer === "string" ? answer : `the API answered ${answer.found.status}: ${answer.text}`;
    const mayPass = typeof answer === "string" || answer.found.status === 429 || answer.found.status >= 500;
    if (!mayPass || pauseS > 64) throw new Error(problem);
    await wait(pauseS * 1000);
  }
}

const date = process.argv[2] ?? (await yesterday());
if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`expected a date such as 2026-11-14, got "${date}"`);

// A date without a time is midnight of the account's zone: from this one to the next is the day, be it of 23 or 25 hours.
const csv = await readCsv(date, nextDay(date, 1));
const file = `mileage-${date}.csv`;
// Renamed when it is complete: a program that reads the folder meanwhile finds all of it or nothing.
writeFileSync(`${file}.new`, csv);
renameSync(`${file}.new`, file);
console.log(file);
