import { Sessions, startSession } from "../../access/sessions.ts";
import { Failure } from "../../domain/errors.ts";
import { dayMs, formatInstant } from "../../domain/time/time.ts";
import type { Observe } from "../../observe/observation.ts";
import { pause, repeat } from "../../observe/repeat.ts";
import type { Database } from "../../store/database.ts";
import { peopleOfAccount } from "../../store/fleet/users.ts";
import type { DemoPast } from "./demo-past.ts";

/** What a person could do in the portal, in the words of its own routes. */
type Ask = (method: "GET" | "POST", path: string, body?: object) => Promise<Answer>;

interface Answer {
  readonly data: readonly Made[] & Made;
}

interface Made {
  readonly device_id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly planned_report_id: string;
}

interface Furnished {
  readonly database: Database;
  readonly accountId: number;
  /** Of the portal, as this process reaches it. */
  readonly url: string;
}

/** What its people have set up is tried again after this. */
const retryMs = 10_000;

const lookEveryMs = 1_000;

/**
 * Furnishes a demo once, whatever was interrupted, when there is enough of its history for a report of yesterday. Returns the
 * function that stops it.
 */
export function keepFurnished(
  past: Pick<DemoPast, "isFurnished" | "note">,
  furnished: Furnished,
  observe: Observe,
  isReady: () => boolean = () => true,
): () => Promise<void> {
  return repeat("the demo's links and reports", retryMs, observe, async (stop) => {
    while (!isReady() && !stop.aborted) await pause(lookEveryMs, stop);
    if (stop.aborted) return;
    if (past.isFurnished) return pause(dayMs, stop);
    await furnishDemo(furnished);
    await past.note({ isFurnished: true });
  });
}

/** Share links, reports by mail and notifications, made in the portal as the demo's owner would make them. */
async function furnishDemo({ database, accountId, url }: Furnished): Promise<void> {
  const people = await peopleOfAccount(database, accountId, null);
  const owner = people.find(({ role }) => role === "owner");
  if (owner === undefined) throw new Failure("NOT_FOUND", "the demo's account has no owner");
  const cold = people.find(({ email }) => email.startsWith("cold@"));
  const now = Date.now();
  const user = { account_id: accountId, user_id: owner.id };
  const token = await database.transaction((tx) =>
    startSession(tx, user, { via: "link", browser: "Odograph", oldToken: null, language: null }, now),
  );
  try {
    const ask = asker(url, token);
    if (await hasNone(ask, "/shares")) await makeShares(ask, now);
    if (await hasNone(ask, "/notifications")) await makeChoices(ask, cold?.id ?? owner.id);
    if (await hasNone(ask, "/planned-reports")) await makePlans(ask, cold?.id ?? owner.id);
  } finally {
    await new Sessions(database).end(token, Date.now());
  }
}

/** A start may have been interrupted in the middle. */
async function hasNone(ask: Ask, path: string): Promise<boolean> {
  return (await ask("GET", path)).data.length === 0;
}

async function makeShares(ask: Ask, now: number): Promise<void> {
  const { data: vehicles } = await ask("GET", "/fleet/devices");
  const tagged = (tag: string) => vehicles.filter(({ tags }) => tags.includes(tag)).map(({ device_id }) => device_id);
  const [reefer = null, van = null] = [tagged("reefer")[0], tagged("parcel")[0]];
  if (van !== null) {
    const name = "Delivery for Bäckerei Lindner";
    await ask("POST", "/shares", { name, device_ids: [van], label: "plate", until: formatInstant(now + 2 * dayMs) });
  }
  if (reefer !== null) {
    const period = { from: formatInstant(now - dayMs), to: formatInstant(now) };
    const until = formatInstant(now + 7 * dayMs);
    await ask("POST", "/shares", {
      name: "Cold chain of yesterday",
      device_ids: [reefer],
      live: false,
      ...period,
      until,
    });
  }
}

async function makeChoices(ask: Ask, coldId: string): Promise<void> {
  await ask("POST", "/notifications", { severities: ["critical"], pacing: "at_once", tells_end: true });
  await ask("POST", "/notifications", { severities: ["warning"], pacing: "quarter_hour" });
  const alert_types = ["temperature_high", "temperature_low"];
  await ask("POST", "/notifications", { user_id: coldId, alert_types, pacing: "at_once", tells_end: true });
}

/** One of them is sent at once: there is something to read. */
async function makePlans(ask: Ask, coldId: string): Promise<void> {
  const everyMorning = { name: "Kilometres of yesterday", report: "mileage", cadence: "day", hour: 6 };
  const { data: daily } = await ask("POST", "/planned-reports", everyMorning);
  const cold = { name: "Stops of the cold chain", report: "stops", tags: ["reefer"], user_ids: [coldId] };
  await ask("POST", "/planned-reports", { ...cold, cadence: "week", hour: 7 });
  await ask("POST", "/planned-reports", { name: "Trips of the month", report: "trips", cadence: "month", hour: 7 });
  await ask("POST", `/planned-reports/${daily.planned_report_id}/run`);
}

function asker(url: string, token: string): Ask {
  const headers = {
    Cookie: `odograph_session=${token}`,
    "X-Odograph-Portal": "1",
    Origin: url,
    "Content-Type": "application/json",
    // No open connection keeps the server from ending.
    Connection: "close",
  };
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/portal/api${path}`, { method, headers, ...sent });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Failure("INTERNAL", `${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
}
