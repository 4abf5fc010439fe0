import { az735Alarms } from "./alarms.ts";
import { battery, ignitionAndReason, readAlarm, status, wideAlarm } from "./condition.ts";
import { pass, passRest } from "./extras.ts";
import { deviceState, jimiTail, modularItems } from "./items.ts";
import type { Layout } from "./layout.ts";
import { cell, epochTime, gps, noFix, time } from "./place.ts";
import type { Gt06Report, Part } from "./report.ts";

const place: readonly Part[] = [time, gps];

/** From generation 3 on, area, cell and signal are longer. */
function generationAndCell({ reader, unread }: Gt06Report): void {
  const generation = reader.u8();
  const isWide = ((reader.bytes[reader.at] ?? 0) & 0x80) !== 0;
  reader.pass(2 + (isWide ? 2 : 1) + (generation >= 3 ? 4 + 8 + 2 : 2 + 3 + 1), "cell tower", unread);
}

/** A part that may be missing, with its length before it. */
function counted({ reader, unread }: Gt06Report): void {
  reader.pass(reader.u8(), "cell towers and access points", unread);
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
  {
    types: [0x32],
    isLong: true,
    what: "location",
    reply: "long",
    parts: [...az735Start, passRest("bytes behind the access points")],
  },
  {
    types: [0x33],
    isLong: true,
    what: "alarm",
    reply: "long",
    parts: [...az735Start, az735Alarm, passRest("bytes behind the alarm")],
  },
  { types: [0x36], isLong: false, what: "heartbeat", parts: [status, battery, pass(3, "signal, language"), jimiTail] },
  { types: [0x37], what: "location", parts: [...place, cell("2g"), ignitionAndReason, jimiTail] },
  {
    types: [0x38],
    what: "location",
    reply: "none",
    parts: [...place, pass(2, "reason of the report"), generationAndCell, jimiTail],
  },
  {
    types: [0x39],
    what: "alarm",
    parts: [...place, generationAndCell, status, battery, pass(1, "signal"), wideAlarm, jimiTail],
  },
  { types: [0x40], what: "vehicle battery", parts: [pass(8, "IMEI"), epochTime, passRest("vehicle battery")] },
  { types: [0x70], what: "location", parts: [modularItems] },
  { types: [0xf1], what: "device state", parts: [epochTime, deviceState] },
  { types: [0xf2], what: "peripherals", parts: [epochTime, passRest("peripherals 0xf2")] },
];
