import { MemoryBases } from "../../derive/base.ts";
import { AccountContexts } from "../../derive/context.ts";
import { receiveNow } from "../../derive/received-now.ts";
import { rederive } from "../../derive/rederive.ts";
import { quantity } from "../../domain/text/text.ts";
import { FrameQueue } from "../../intake/queue.ts";
import type { Database } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { foundInEach } from "../../store/each-account.ts";
import { foldedDevices, foldProgress, untimelyDevices } from "../../store/facts/folds.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";
import { imeiOption, instantOption } from "../common/options.ts";
import { textTable } from "../common/table.ts";
import { derivePending } from "./derive-pending.ts";
import { deviceOfImei, withStore } from "./open-store.ts";

export const rederiveCommand = command({
  name: "rederive",
  summary: "derive everything again from the stored frames",
  details: [
    "First finishes pending work of late frames or of an interrupted load. Then derives everything from the stored",
    "frames again, and writes what differs; on a healthy store nothing does. A server may be running. It can be",
    "stopped at any time: each device is either done or as it was.",
  ].join("\n"),
  options: [
    { name: "device", placeholder: "IMEI", help: "only this device (default: all)" },
    { name: "from", placeholder: "TIME", help: "only from this time on (default: from the first frame)" },
    {
      name: "received-now",
      help: "treat frames that were rejected as future_time as received now: after the server's clock was slow",
    },
    jsonOption,
  ],
  run: rederiveStored,
});

async function rederiveStored(call: CommandCall): Promise<void> {
  const imei = imeiOption(call, "device");
  const from = instantOption(call, "from") ?? 0;
  const sum = await withStore(call, async (database) => {
    const finished = await finishPending(database, imei, call.terminal);
    const believed = call.options["received-now"] ? await receiveAllNow(database, imei, from) : null;
    const keys = imei === null ? await allDevices(database) : await oneDevice(database, imei);
    const done = { ...(await deriveAll(database, keys, from, call.terminal.progress)), finished };
    return believed === null ? done : { ...done, frames_believed: believed };
  });
  const believed = "frames_believed" in sum ? sum.frames_believed : 0;
  const changes = believed + sum.verdicts_changed + sum.facts_saved + sum.facts_removed + sum.positions_changed;
  if (call.options.json) return call.terminal.out(JSON.stringify({ ...sum, changed: changes > 0 }));
  const { finished, ...counts } = sum;
  if (finished > 0) call.terminal.note(`finished pending work of ${quantity(finished, "device")}`);
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll("_", " "), String(count)]);
  call.terminal.out(textTable(["", "COUNT"], rows));
  if (changes === 0) call.terminal.out("nothing changed");
}

/** Pending work of late frames or of a fleet file is no error in the store: it is done first, and is not counted. */
async function finishPending(
  database: Database,
  imei: string | null,
  terminal: CommandCall["terminal"],
): Promise<number> {
  const only = imei === null ? null : [await deviceOfImei(database, imei)];
  return derivePending(database, new FrameQueue(database, () => {}), terminal, { only });
}

/** Returns how many frames are believed now. */
async function receiveAllNow(database: Database, imei: string | null, from: number): Promise<number> {
  const keys =
    imei === null
      ? await foundInEach(database, (id) => untimelyDevices(database, id))
      : [await deviceOfImei(database, imei)];
  const now = Date.now();
  let believed = 0;
  for (const key of keys) believed += await receiveNow(database, key, from, now);
  return believed;
}

function allDevices(database: Database): Promise<DeviceKey[]> {
  return foundInEach(database, (accountId) => foldedDevices(database, accountId));
}

/** Empty if it never sent a frame: then there is nothing to derive. */
async function oneDevice(database: Database, imei: string): Promise<DeviceKey[]> {
  const key = await deviceOfImei(database, imei);
  return (await foldProgress(database, key)).head === null ? [] : [key];
}

async function deriveAll(
  database: Database,
  keys: readonly DeviceKey[],
  from: number,
  onProgress: CommandCall["terminal"]["progress"],
) {
  const deps = { database, contexts: new AccountContexts(), memory: new MemoryBases() };
  const options = { range: { from, until: Number.MAX_SAFE_INTEGER }, isThorough: true };
  const sum = {
    devices: keys.length,
    frames_read: 0,
    verdicts_changed: 0,
    facts_saved: 0,
    facts_removed: 0,
    positions_changed: 0,
  };
  for (const [index, key] of keys.entries()) {
    onProgress("deriving again", index, keys.length);
    const done = await rederive(deps, key, options);
    if (done === null) continue;
    sum.frames_read += done.frames;
    sum.verdicts_changed += done.verdictsChanged;
    sum.facts_saved += done.factsSaved;
    sum.facts_removed += done.factsRemoved;
    if (done.latestChanged) sum.positions_changed++;
  }
  onProgress("deriving again", keys.length, keys.length);
  return sum;
}
