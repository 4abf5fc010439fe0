import { createIngestToken, listTokens, revokeToken } from "../../access/ingest-tokens.ts";
import { Failure } from "../../domain/errors.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { Observe } from "../../observe/observation.ts";
import { boxOnly } from "../../portal/mail/mail-box.ts";
import { createWorld } from "../../simulator/world.ts";
import type { Database } from "../../store/database.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { confirmDemoPeople, type DemoAccountRow, noteDemoMade } from "../../store/fleet/demo-accounts.ts";
import type { DemoState } from "../serving/demo-state.ts";
import type { Listening, StartMailing } from "../serving/run-server.ts";
import { loadDemoRecords, missingAccount } from "./demo-history.ts";
import { servedSince } from "./demo-parts.ts";
import { DemoPast } from "./demo-past.ts";
import { callingVehicles, sendFrames } from "./demo-sender.ts";
import { keepFurnished } from "./furnish.ts";
import { resumeAt } from "./resume.ts";

/** What the program has that serves. */
export interface ServedBeside {
  readonly database: Database;
  readonly listening: Listening;
  readonly observe: Observe;
  /** Null: mails are sent already. */
  readonly startMailing: StartMailing | null;
}

/** A fleet in an account beside the owner's own. */
export async function driveDemo(
  { database, listening, observe, startMailing }: ServedBeside,
  row: DemoAccountRow,
): Promise<() => Promise<void>> {
  const known = row.state_json === null ? newState() : (JSON.parse(row.state_json) as DemoState);
  const world = createWorld(known);
  let wasReady = Boolean(row.is_ready);
  const save = (state: DemoState, accountId: number | null) => {
    const { historyFrom, isComplete } = state;
    // As soon as the page that opens first has something to show.
    const is_ready =
      accountId !== null && (isComplete || (historyFrom ?? Date.now()) <= servedSince(state, Date.now()));
    const stored = JSON.stringify({ ...state, token: "" });
    wasReady ||= is_ready;
    return database.transaction((tx) =>
      noteDemoMade(tx, { id: row.id, account_id: accountId, state_json: stored, is_ready: wasReady }),
    );
  };
  // Before the fleet, so that an interrupted start makes the same again.
  if (row.state_json === null) await save(known, null);
  if (row.account_id === null) await loadDemoRecords(database, world, { passwords: "unknown" });
  const [account] = await accountsById(database, [world.accountId]);
  if (account === undefined) throw new Failure("NOT_FOUND", missingAccount);
  const accountId = account.account_id;
  if (row.account_id === null) {
    await database.transaction((tx) => confirmDemoPeople(tx, accountId));
    await save(known, accountId);
  }
  // Only its hash is stored: each start has its own.
  for (const { id, revoked_at } of await listTokens(database, account.id)) {
    if (revoked_at === null) await revokeToken(database, id, Date.now());
  }
  const { secret: token } = await createIngestToken(database, { accountId: account.id, name: "Demo" }, Date.now());
  const since = known.historyFrom === null ? Date.now() : await resumeAt(database, world, known);
  const state = { ...known, token, historyFrom: known.historyFrom ?? since };
  const past = new DemoPast(state, (next) => save(next, accountId));
  const calling = await callingVehicles(database, accountId);
  const ends = [
    sendFrames({ world, token, since, calling }, listening, observe),
    past.make(listening.ingestUrl, observe),
    keepFurnished(past, { database, accountId, url: listening.url }, observe, () => wasReady),
    // Where nothing is mailed, its mails are still shown.
    ...(startMailing?.(boxOnly) ?? []),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Enough for every report. */
const days = 7;
const vehicles = 40;

function newState(): DemoState {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;
  return {
    seed,
    vehicles,
    days,
    from: Date.now() - days * dayMs,
    key: "",
    token: "",
    historyFrom: null,
    isComplete: false,
    edition: 2,
  };
}
