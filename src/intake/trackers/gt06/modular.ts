import { az735Alarms } from "./alarms.ts";
import { battery, ignitionAndReason, readAlarm, status, wideAlarm } from "./condition.ts";
import { rest, skip } from "./extras.ts";
import { deviceState, jimiTail, modularItems } from "./items.ts";
import type { Layout } from "./layout.ts";
import { cell, epochTime, gps, noFix, time } from "./place.ts";
import type { Gt06Report, Part } from "./report.ts";

const place: readonly Part[] = [time, gps];

/** From generation 3 on, area, cell and signal are longer. */
function generationAndCell({ reader }: Gt06Report): void {
  const generation = reader.u8();
  const country = reader.u16();
  reader.skip((country & 0x8000 ? 2 : 1) + (generation >= 3 ? 4 + 8 + 2 : 2 + 3 + 1));
}

/** A part that may be missing, with its length before it. */
function counted({ reader }: Gt06Report): void {
  reader.skip(reader.u8());
}

function countedPlace(report: Gt06Report): void {
  if (report.reader.u8() === 0) noFix(report);
  else gps(report);
}

function az735Alarm(report: Gt06Report): void {
  const code = report.reader.u8();
  if (code !== 0xa0 && code !== 0xa1) readAlarm(report, code, az735Alarms);
}

/** Place, cell, more cells, access points. */
const az735Start: readonly Part[] = [time, countedPlace, counted, counted, counted];

/** Messages that are made of parts with a number or a length before each, of newer models of Jimi and others. */
export const modularLayouts: readonly Layout[] = [
  { types: [0x32], isLong: true, what: "location", reply: "long", parts: [...az735Start, rest] },
  { types: [0x33], isLong: true, what: "alarm", reply: "long", parts: [...az735Start, az735Alarm, rest] },
  { types: [0x36], isLong: false, what: "heartbeat", parts: [status, battery, skip(3), jimiTail] },
  { types: [0x37], what: "location", parts: [...place, cell("2g"), ignitionAndReason, jimiTail] },
  { types: [0x38], what: "location", reply: "none", parts: [...place, skip(2), generationAndCell, jimiTail] },
  { types: [0x39], what: "alarm", parts: [...place, generationAndCell, status, battery, skip(1), wideAlarm, jimiTail] },
  { types: [0x40], what: "vehicle battery", parts: [skip(8), epochTime, rest] },
  { types: [0x70], what: "location", parts: [modularItems] },
  { types: [0xf1], what: "device state", parts: [epochTime, deviceState] },
  { types: [0xf2], what: "peripherals", parts: [epochTime, rest] },
];
