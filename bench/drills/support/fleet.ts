import { odograph } from "./nodes.ts";

export interface DrillFleet {
  readonly accountId: string;
  readonly imeis: readonly string[];
  /** Sees everything; with limits that the load never reaches. */
  readonly key: string;
  readonly token: string;
}

const owner = "demo@odograph.example";
/** The largest limits: more than a drill can send. */
const noLimit = { perSecond: 100_000, perDay: 1_000_000_000 } as const;

/** Loads the simulator's fleet into an empty store, with a key and a token. */
export async function loadFleet(databaseUrl: string, vehicles: number): Promise<DrillFleet> {
  const text = await odograph(["simulate", "--fleet", "--vehicles", String(vehicles)], databaseUrl);
  const records = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string; id: string; imei: string; limits?: object });
  const account = records[0];
  if (account?.type !== "account") throw new Error("the simulated fleet has no account");
  account.limits = { per_second: noLimit.perSecond, per_day: noLimit.perDay };
  await odograph(["load", "-"], databaseUrl, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const imeis = records.filter(({ type }) => type === "device").map(({ imei }) => imei);
  const key = await createKey(databaseUrl, "drill", {});
  const tokenOf = ["ingest-tokens", "create", "--account", account.id, "--name", "drill", "--json"];
  const { token } = JSON.parse(await odograph(tokenOf, databaseUrl)) as { token: string };
  return { accountId: account.id, imeis, key, token };
}

export interface KeyLimits {
  readonly perSecond?: number;
  readonly perDay?: number;
  readonly expires?: string | undefined;
}

/** A key of the fleet's owner. */
export async function createKey(databaseUrl: string, name: string, limits: KeyLimits): Promise<string> {
  const { perSecond, perDay, expires } = { ...noLimit, ...limits };
  const words = ["--user", owner, "--name", name, "--scopes", "all", "--json"];
  words.push("--per-second", String(perSecond), "--per-day", String(perDay));
  if (expires !== undefined) words.push("--expires", expires);
  const { key } = JSON.parse(await odograph(["keys", "create", ...words], databaseUrl)) as { key: string };
  return key;
}
