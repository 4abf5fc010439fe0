import type { Frame, SensorReport } from "../../src/domain/frame.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { giveDigest } from "../../src/store/blocks/frame-digest.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { appendToBlocks, kindBits } from "../../src/store/frames/frame-blocks.ts";
import { lineRow, saveLines } from "../../src/store/frames/recent-frames.ts";
import { reportAt } from "./fleet.ts";
import type { RunStatement } from "./without-indexes.ts";

const accountId = 1;
const devicesPerCommit = 1000;
/** Frames of a device that are in rows of their own; the others are in blocks. */
const newest = 20;
/** How many frames have a reading of fuel: 5 of 12. */
const [fuelled, among] = [5, 12] as const;
/** Few vehicles carry a thermometer. */
const devicesPerThermometer = 50;

interface Span {
  readonly fromMs: number;
  readonly spanMs: number;
}

/** As many readings of fuel, spread evenly over the devices and the span, and frames without any between them. */
export async function seedReadings(
  database: Database,
  run: RunStatement,
  devices: number,
  rows: number,
  span: Span,
): Promise<void> {
  const framesEach = Math.ceil(((rows / devices) * among) / fuelled);
  for (let first = 1; first <= devices; first += devicesPerCommit) {
    const framesOf = new Map<number, StoredFrame[]>();
    for (let device = first; device < first + devicesPerCommit && device <= devices; device++) {
      framesOf.set(device, framesOfDevice(device, devices, framesEach, span));
    }
    await database.transaction(async (tx) => {
      const blocks = new Map([...framesOf].map(([device, frames]) => [device, frames.slice(0, -newest)]));
      await appendToBlocks(tx, accountId, blocks);
      const inRows = [...framesOf].flatMap(([device, frames]) =>
        frames.slice(-newest).map((frame) => lineRow({ accountId, device }, frame)),
      );
      await saveLines(tx, "recent_frames", inRows);
    });
  }
  for (const statement of momentStatements(devices, framesEach, span)) await run(statement);
}

/** When there is a reading, in the order of the table: made inside the database, by the rules of `framesOfDevice`. */
function* momentStatements(devices: number, count: number, { fromMs, spanMs }: Span): Generator<string> {
  const stepMs = Math.floor(spanMs / count);
  for (let index = 0; index < count; index++) {
    const at = `${fromMs + index * stepMs} + ((device * 7919) % ${devices}) * ${stepMs} / ${devices}`;
    const insert = (kind: SensorReport["kind"], which: string) =>
      `insert into readings (account_id, kind, recorded_at, device)
        select account_id, ${kindBits[kind]}, ${at}, device from devices where account_id = ${accountId} ${which} order by 3`;
    if (index % among < fuelled) yield insert("fuel", "");
    yield insert("temperature", `and device % ${devicesPerThermometer} = 0`);
  }
}

function framesOfDevice(device: number, devices: number, count: number, { fromMs, spanMs }: Span): StoredFrame[] {
  const stepMs = Math.floor(spanMs / count);
  // No two vehicles send at the same moment.
  const offset = Math.floor((((device * 7_919) % devices) * stepMs) / devices);
  return Array.from({ length: count }, (_, index) => {
    const recordedAt = fromMs + index * stepMs + offset;
    const receivedAt = recordedAt + 1_000 + ((device + index) % 500);
    const sensors = sensorsOf(device, index);
    const frame: Frame & { digest: number } = {
      ...{ ...reportAt(recordedAt, device), recordedAt, receivedAt, digest: 0 },
      ...{ fix: null, source: null, sensors },
    };
    giveDigest(frame, recordedAt);
    return { frame, verdict: accepted };
  });
}

function sensorsOf(device: number, index: number): SensorReport[] {
  const sensors: SensorReport[] = [];
  if (index % among < fuelled) {
    const level = 90 - ((index * 7 + device) % 800) / 10;
    sensors.push({ kind: "fuel", sensor: "tank_1", level_percent: level, volume_l: level * 4 });
  }
  if (device % devicesPerThermometer === 0) {
    sensors.push({ kind: "temperature", sensor: "cargo", temperature_c: (index % 90) / 10, humidity_percent: null });
  }
  return sensors;
}
