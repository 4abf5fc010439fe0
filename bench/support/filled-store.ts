import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StoreTarget } from "../../src/store/open.ts";
import { startPostgres } from "../../test/support/postgres-server.mjs";
import { type DriveFrame, driveFrames } from "./drive.ts";
import { copyDevices } from "./fill-frames.ts";
import { imeiOf } from "./fleet.ts";
import { openRaw } from "./raw-store.ts";
import { odograph, type Version } from "./version.ts";

export interface Size {
  readonly frames: number;
  readonly devices: number;
  readonly stepMs: number;
  /** Whether there is one more device, with 30 days of frames, ten seconds apart. */
  readonly hasMonth: boolean;
}

/** A store of many frames, with what is needed to use it. */
export interface FilledStore {
  readonly version: Version;
  readonly target: StoreTarget;
  readonly size: Size;
  readonly key: string;
  readonly token: string;
  readonly framesEach: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** With this retention, half of the frames are to be dropped. */
  readonly halfRetainDays: number;
  /** The device with 30 days of frames. */
  readonly monthImei: string;
  readonly fillSeconds: number;
  remove(): Promise<void>;
}

const dayMs = 86_400_000;
/** What is sent while measuring comes after all frames, and not in the future. */
const roomMs = 3_600_000;
const maxTemplates = 32;
const monthStepMs = 10_000;
export const monthFrames = (30 * dayMs) / monthStepMs;
const accountId = "00000000-0000-4000-8000-000000000000";
const ownerEmail = "owner@bench.test";
const unlimited = 2_000_000_000;

/** Makes the store with the program itself, for a few template devices, and copies these to all others. */
export async function fillStore(
  version: Version,
  size: Size,
  place: { readonly directory: string; readonly isPostgres: boolean },
): Promise<FilledStore> {
  const began = performance.now();
  const directory = join(place.directory, `${version.name}-${size.frames}`);
  await mkdir(directory, { recursive: true });
  const postgres = place.isPostgres ? await startPostgres() : null;
  const target: StoreTarget = postgres
    ? { engine: "postgres", url: postgres.url }
    : { engine: "sqlite", directory: join(directory, "store") };
  const remove = async () => {
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const times = timesOf(size);
    const monthImei = imeiOf(size.devices + 1);
    const file = join(directory, "fleet.ndjson");
    await writeFile(file, size, times);
    await odograph(version, target, ["load", file]);
    await rm(file);
    const json = async (words: readonly string[]) => JSON.parse(await odograph(version, target, [...words, "--json"]));
    const named = ["--name", "bench"];
    const { key } = await json(["keys", "create", "--user", ownerEmail, ...named, "--scopes", "all"]);
    const { token } = await json(["ingest-tokens", "create", "--account", accountId, ...named]);
    await copyTemplates(target, size);
    const fillSeconds = (performance.now() - began) / 1000;
    return { version, target, size, key, token, ...times, monthImei, fillSeconds, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** They end so that half of the frames are older than a whole number of days. */
function timesOf({ frames, devices, stepMs }: Size) {
  const framesEach = Math.floor(frames / devices);
  const spanMs = framesEach * stepMs;
  const halfRetainDays = Math.ceil(spanMs / 2 / dayMs);
  const ago = Math.max(halfRetainDays * dayMs - spanMs / 2, roomMs);
  const lastAt = Math.floor((Date.now() - ago) / 1000) * 1000;
  return { framesEach, halfRetainDays, firstAt: lastAt - spanMs, lastAt };
}

/** The frames of one of the devices that are not copied, as they were sent. Others have the same as their template. */
export function templateDrive(
  { framesEach, firstAt, size }: Pick<FilledStore, "framesEach" | "firstAt" | "size">,
  template: number,
): Generator<DriveFrame> {
  // Not all at the same millisecond. Every tenth vehicle has sensors.
  const options = { seed: template, firstAt: firstAt + template * 317, hasSensors: template % 10 === 9 };
  return driveFrames({ ...options, count: framesEach, stepMs: size.stepMs });
}

export function templateOf(index: number, devices: number): number {
  return index % Math.min(maxTemplates, devices);
}

async function writeFile(file: string, size: Size, times: Pick<FilledStore, "framesEach" | "firstAt">): Promise<void> {
  const writer = Bun.file(file).writer();
  const write = (record: object) => writer.write(`${JSON.stringify(record)}\n`);
  write({ type: "account", id: accountId, name: "Bench" });
  const owner = { id: "00000000-0000-4000-8000-000000000001", account_id: accountId, email: ownerEmail };
  write({ type: "user", ...owner, name: "Owner", role: "owner" });
  for (let device = 1; device <= size.devices + 1; device++) {
    const id = `00000000-0000-4000-9000-${String(device).padStart(12, "0")}`;
    write({ type: "device", id, account_id: accountId, imei: imeiOf(device), name: `Truck ${device}` });
  }
  // In turns, as they come in.
  const templates = Math.min(maxTemplates, size.devices);
  const drives = Array.from({ length: templates }, (_, template) => templateDrive({ ...times, size }, template));
  for (let frame = 0; frame < times.framesEach; frame++) {
    for (const [template, drive] of drives.entries()) {
      write({ type: "frame", imei: imeiOf(template + 1), ...drive.next().value });
    }
    if (frame % 100 === 0) await writer.flush();
  }
  const firstAt = Date.now() - 31 * dayMs;
  const count = size.hasMonth ? monthFrames : 0;
  const month = driveFrames({ seed: 1_000, firstAt, count, stepMs: monthStepMs });
  for (const frame of month) write({ type: "frame", imei: imeiOf(size.devices + 1), ...frame });
  await writer.end();
}

async function copyTemplates(target: StoreTarget, { devices, stepMs }: Size): Promise<void> {
  const store = openRaw(target);
  try {
    await store.run(`update accounts set limit_per_second = ${unlimited}, limit_per_day = ${unlimited}`);
    const rows = await store.all("select device, id from device_directory order by imei");
    const numbers = rows.map(({ device }) => Number(device)).slice(0, devices);
    const copied = numbers.slice(Math.min(maxTemplates, devices));
    await copyDevices(
      store,
      {
        templateOf: new Map(
          copied.map((device, index) => [device, numbers[templateOf(index + maxTemplates, devices)] as number]),
        ),
        idOf: new Map(rows.map(({ device, id }) => [Number(device), String(id)])),
        sliceMs: 4 * stepMs,
      },
      progress,
    );
  } finally {
    await store.close();
  }
}

/** A line that is written over, where there is a person to see it. */
function progress(what: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const share = done / total;
  const bar = "#".repeat(Math.round(share * 30)).padEnd(30, ".");
  process.stderr.write(`\r${what.padEnd(20)} ${bar} ${Math.round(share * 100)} %${done === total ? "\n" : ""}`);
}
