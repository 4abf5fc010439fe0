import { alarmCode, battery, mileageAtEnd, reasonAndMileage, status, tail, wideAlarm } from "./condition.ts";
import { pass, passRest, rest } from "./extras.ts";
import { heartbeatLayouts } from "./heartbeats.ts";
import { informationLayouts } from "./information.ts";
import { type Layout, layoutTable } from "./layout.ts";
import { modelLayouts } from "./models.ts";
import { modularLayouts } from "./modular.ts";
import { otherLayouts } from "./others.ts";
import { cell, countedCell, gps, noFix, time } from "./place.ts";
import type { Gt06Report, Part } from "./report.ts";

const place: readonly Part[] = [time, gps];
const condition: readonly Part[] = [status, battery, pass(1, "signal"), alarmCode, pass(1, "language")];
const wideCondition: readonly Part[] = [status, battery, pass(1, "signal"), wideAlarm];
const fence = pass(1, "number of the fence");

function cellsBeforeAlarm({ reader, unread }: Gt06Report): void {
  reader.pass(reader.left - 2, "cell towers", unread);
}

const commonLayouts: readonly Layout[] = [
  { types: [0x10, 0x1a, 0x1e], what: "location", parts: [...place, passRest("cell towers")] },
  { types: [0x11], what: "location", parts: [...place, cell("wide", true), tail] },
  { types: [0x12], what: "location", parts: [...place, cell("2g"), tail] },
  { types: [0x25], what: "location", parts: [...place, cell("wide"), tail] },
  { types: [0x22, 0x2d, 0x31], what: "location", parts: [...place, cell("2g"), reasonAndMileage] },
  { types: [0xa0], what: "location", parts: [...place, cell("4g"), reasonAndMileage] },
  { types: [0x2a], what: "address request", parts: [...place, passRest("phone number and cell tower")] },
  { types: [0x16, 0x26], what: "alarm", parts: [...place, countedCell("2g", 5), ...condition, mileageAtEnd] },
  { types: [0x32], isLong: false, what: "alarm", parts: [...place, countedCell("2g", 5), ...condition, mileageAtEnd] },
  { types: [0x27], what: "alarm", parts: [...place, countedCell("2g", 6), ...wideCondition, fence, mileageAtEnd] },
  { types: [0xa3], what: "alarm", parts: [...place, countedCell("4g", 5), ...condition, mileageAtEnd] },
  { types: [0xa4], what: "alarm", parts: [...place, countedCell("4g", 6), ...wideCondition, fence, mileageAtEnd] },
  // Cells and access points only. Their times are real, and places are not made of them.
  { types: [0x18, 0x24, 0x28, 0x2c, 0x2e, 0xa1, 0xa2], what: "cells", parts: [time, noFix, passRest("cell towers")] },
  { types: [0x33], isLong: false, what: "cells", parts: [time, noFix, passRest("cell towers")] },
  { types: [0x19], minLength: 0x17, what: "cells", parts: [time, noFix, passRest("cell towers")] },
  { types: [0x19], what: "cell and status", parts: [noFix, cell("2g"), ...condition] },
  { types: [0xa5], what: "cell and status", parts: [noFix, cell("4g"), ...condition] },
  { types: [0xa9], what: "alarm", parts: [time, noFix, cellsBeforeAlarm, wideAlarm] },
  { types: [0xf3], what: "access points", reply: "none", parts: [time, noFix, passRest("access points")] },
  { types: [0xa7], what: "address request", parts: [rest] },
  { types: [0xb2], what: "Bluetooth tag", parts: [time, passRest("Bluetooth tag")] },
];

/** Named, so that the owner sees what came: there is nothing in them that a frame can hold. */
const namedLayouts: readonly Layout[] = [
  { types: [0x14], what: "satellites", parts: [rest] },
  { types: [0x35], what: "photo", reply: "none", parts: [rest] },
  { types: [0x36], isLong: true, what: "photo", reply: "none", parts: [rest] },
  { types: [0x41], what: "photo", reply: "long", parts: [rest] },
  { types: [0x80, 0x81, 0x82], what: "answer to a command", reply: "none", parts: [rest] },
];

/** The layout of a message, by number, header and length. */
export const findLayout = layoutTable([
  ...modelLayouts,
  ...heartbeatLayouts,
  ...informationLayouts,
  ...modularLayouts,
  ...otherLayouts,
  ...commonLayouts,
  ...namedLayouts,
]);
