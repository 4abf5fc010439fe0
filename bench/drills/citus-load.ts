/**
 * Which changes `odograph load` can make while a worker of a Citus cluster is down, for an account of the other worker. Held if
 * they are those that docs/scaling.md names, and all of them can be made once the worker is back.
 *
 *     node_modules/.bin/bun bench/drills/citus-load.ts
 */
import { readOptions } from "../support/options.ts";
import { CitusCluster, needCitus } from "./support/citus.ts";
import { loadAccounts } from "./support/citus-fleet.ts";
import { odograph } from "./support/nodes.ts";
import { conclude, print } from "./support/report.ts";

readOptions(import.meta.url, {});

const cluster = await CitusCluster.start({ programs: needCitus() });
try {
  await drill();
} finally {
  await cluster.remove();
}

type Records = readonly Readonly<Record<string, unknown>>[];

async function drill(): Promise<void> {
  const accounts = await loadAccounts(cluster, 6);
  const [away] = cluster.workers;
  const own = accounts.find(({ place }) => place !== away?.place);
  if (!away || !own) throw new Error("each worker needs an account");
  const records = (await odograph(["fleet", "export", "--account", own.fleet.accountId], cluster.url))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const of = (type: string) => records.find((record) => record.type === type) ?? {};
  const [account, user, device] = [of("account"), of("user"), of("device")];
  const account_id = account.id;
  const circle = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radius_m: 100 };
  const fence = { type: "geofence", id: id(1), account_id, name: "Yard", ...circle };
  await load([fence]);

  await away.database.kill();
  const rules = [{ alert_type: "speeding", parameters: { limit_kmh: 100 } }];
  const changes: readonly (readonly [string, boolean, Records])[] = [
    ["a device's name, plate and tags", true, [{ ...device, name: "Renamed", plate: "RV 1", tags: ["north"] }]],
    ["a driver", true, [{ type: "driver", id: id(2), account_id, name: "Ana", driver_ids: ["1A2B"] }]],
    ["rules of a device", true, [{ type: "alert_settings", device_id: device.id, rules }]],
    ["rules of an account", true, [{ type: "alert_settings", account_id, rules }]],
    ["an account's name", false, [{ ...account, name: "Another" }]],
    ["a user's name", false, [{ ...user, name: "Another" }]],
    ["a new user", false, [{ ...user, id: id(3), email: "new@bench.test", role: "sub_account" }]],
    ["a new device", false, [{ ...device, id: id(4), imei: "861999999999999" }]],
    ["another IMEI of a device", false, [{ ...device, imei: "861999999999998" }]],
    ["a new geofence", false, [{ ...fence, id: id(5) }]],
    ["a geofence's shape", false, [{ ...fence, radius_m: 200 }]],
  ];
  let isAsSaid = true;
  for (const [name, isPossible, change] of changes) {
    const error = await load(change);
    isAsSaid &&= (error === null) === isPossible;
    print(name, error ?? "done");
  }
  await away.database.mustStart();
  console.log("\nonce the worker is back");
  for (const [name, , change] of changes) {
    const error = await load(change);
    isAsSaid &&= error === null;
    if (error !== null) print(name, error);
  }
  conclude(isAsSaid, "other changes than the document says");
}

/** Null: it was done. */
async function load(records: Records): Promise<string | null> {
  const file = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  return odograph(["load", "-"], cluster.url, file).then(
    () => null,
    () => "refused",
  );
}

function id(number: number): string {
  return `00000000-0000-4000-8fff-${String(number).padStart(12, "0")}`;
}
