import { createIngestToken } from "../../access/ingest-tokens.ts";
import { createKey } from "../../access/keys.ts";
import { Failure } from "../../domain/errors.ts";
import { allScopes } from "../../domain/scopes.ts";
import { loadFleet } from "../../fleet/apply/load.ts";
import { collectFleet } from "../../fleet/parse/parse.ts";
import { alone, FrameQueue } from "../../intake/queue.ts";
import type { World } from "../../simulator/world.ts";
import type { Database } from "../../store/database.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import type { Terminal } from "../common/command.ts";
import type { FrameBatch } from "../demo-maker.ts";
import { randomPassword } from "../serving/demo-passwords.ts";
import { demoZone } from "./demo-parts.ts";

interface LoadedPeople {
  /** Those that the program prints, or some that nobody knows. */
  readonly passwords: "published" | "unknown";
  readonly onProgress?: Terminal["progress"];
}

export async function loadDemoRecords(
  database: Database,
  world: World,
  { passwords, ...options }: LoadedPeople,
): Promise<void> {
  const fleet = collectFleet(() => "frames come from the world, not from its fleet");
  for (const [index, record] of world.fleet.entries()) {
    const own = passwords === "unknown" && "password" in record ? { ...record, password: randomPassword() } : record;
    fleet.add(index + 1, JSON.stringify(inDemoZone(own)));
  }
  await loadFleet(database, fleet.finish(), Date.now(), options);
}

/** Loads the demo's fleet. Returns a key of its owner and a token of its account. */
export async function loadDemoFleet(
  database: Database,
  world: World,
  terminal: Terminal,
): Promise<{ readonly key: string; readonly token: string }> {
  const now = Date.now();
  await loadDemoRecords(database, world, { passwords: "published", onProgress: terminal.progress });
  const unlimited = { perSecond: null, perDay: null, expiresAt: null };
  const request = { email: world.ownerEmail, name: "Demo", scopes: allScopes, ...unlimited };
  const { secret: key } = await createKey(database, request, now);
  const { secret: token } = await createIngestToken(database, { accountId: world.accountId, name: "Demo" }, now);
  return { key, token };
}

export const missingAccount = "the demo's account is missing: create a new demo with --reset";

/** Sends the fleet's frames of a period through the same pipeline as frames from outside. */
export async function driveHistory(
  database: Database,
  { accountId }: World,
  history: AsyncIterable<FrameBatch>,
  { from, until }: { readonly from: number; readonly until: number },
  progress: Terminal["progress"],
): Promise<number> {
  const [account] = await accountsById(database, [accountId]);
  if (!account) throw new Failure("NOT_FOUND", missingAccount);
  const writer = new FrameQueue(database, () => {}, alone);
  let stored = 0;
  for await (const { frames, arrivesAt } of history) {
    await writer.submit(account.account_id, frames);
    stored += frames.length;
    progress("driving", arrivesAt - from, until - from);
  }
  progress("driving", until - from, until - from);
  return stored;
}

function inDemoZone(record: object): object {
  return "type" in record && record.type === "account" ? { ...record, time_zone: demoZone } : record;
}
