import { textOf } from "../kit/bytes.ts";
import { utcTime } from "../kit/values.ts";

const semicolon = 0x3b;

/** A text message, cut at its semicolons. */
export interface SuntechText {
  /** `ST300STT`, or `STT` in the universal protocol. */
  readonly header: string;
  /** `ST300`; empty in the universal protocol. */
  readonly series: string;
  /** `STT`, or the word that ST910 has for it. */
  readonly kind: string;
  readonly id: string;
  readonly isAnswer: boolean;
  /** What follows the number, without the data of a serial device. */
  readonly columns: readonly string[];
  /** What a serial device sent (UEX), or the binary part of a crash report (CRR). */
  readonly data: string | null;
  /** Whether its end came, too. */
  readonly isWhole: boolean;
}

/** Where a report with data of something else has the length of the data: so many columns behind its place. */
interface DataForm {
  readonly header: RegExp;
  /** Columns between the header and the place: how many there are depends on model and settings. */
  readonly least: number;
  readonly most: number;
  readonly behindPlace: number;
}

const dataForms: readonly DataForm[] = [
  { header: /^S[AT]\d{3,4}UEX$/, least: 4, most: 10, behindPlace: 7 },
  { header: /^UEX$/, least: 4, most: 14, behindPlace: 6 },
];
const placeColumns = 2;
const maxHeaderBytes = 9;
const maxSerialBytes = 1_024;
const maxCrashBytes = 3_000;
/** More than the columns before the data ever have, in bytes and in number. It bounds what a peer can make us search. */
const maxBytesBeforeData = 1_024;
const maxColumnsBeforeData = 24;

export interface DataWithin {
  readonly from: number;
  readonly to: number;
}

/** By its header. Nearly no message has any, so this is asked before a text is made of it. */
export function mayHaveData(bytes: Uint8Array): boolean {
  const headerEnd = bytes.subarray(0, maxHeaderBytes + 1).indexOf(semicolon);
  return isAt(bytes, headerEnd - 3, "UEX;") || isAt(bytes, headerEnd - 3, "CRR;");
}

/** Where a message has data that are not its own columns, which may hold anything. */
export function dataWithin(bytes: Uint8Array): DataWithin | null {
  if (!mayHaveData(bytes)) return null;
  const columns = columnsBeforeData(bytes);
  const [header = ""] = columns;
  const form = dataForms.find((one) => one.header.test(header));
  const at = form === undefined ? crashLengthAt(columns) : serialLengthAt(columns, form);
  if (at === null) return null;
  const length = Number(columns[at]);
  const from = columns.slice(0, at + 1).reduce((sum, column) => sum + column.length + 1, 0);
  return length <= (form === undefined ? maxCrashBytes : maxSerialBytes) ? { from, to: from + length } : null;
}

function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[from + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** Those whose end has come. */
function columnsBeforeData(bytes: Uint8Array): readonly string[] {
  const last = Math.min(bytes.length, maxBytesBeforeData);
  let end = 0;
  for (let at = 0, columns = 0; at < last && columns < maxColumnsBeforeData && !isLineEnd(bytes[at]); at++) {
    if (bytes[at] !== semicolon) continue;
    columns++;
    end = at;
  }
  return textOf(bytes.subarray(0, end)).split(";");
}

/** The column with the length of the data; null: there is none. */
function crashLengthAt(columns: readonly string[]): number | null {
  const isCrash = columns[0] === "CRR" && [1, 2, 3].every((index) => /^\d+$/.test(columns[index] ?? ""));
  return isCrash && isLength(columns[4]) ? 4 : null;
}

function serialLengthAt(columns: readonly string[], { least, most, behindPlace }: DataForm): number | null {
  for (let before = most; before >= least; before--) {
    const lengthAt = 1 + before + placeColumns + behindPlace;
    if (isSigned(columns[before + 1]) && isSigned(columns[before + 2]) && isLength(columns[lengthAt])) return lengthAt;
  }
  return null;
}

function isSigned(column = ""): boolean {
  // Without the expression for nearly all: this is asked of every place where such a message may start.
  if (column[0] !== "+" && column[0] !== "-") return false;
  return /^[-+]\d{1,3}\.\d+$/.test(column);
}

function isLength(column = ""): boolean {
  return /^\d{1,4}$/.test(column);
}

export function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0d || byte === 0x0a;
}

/** Null: it has no number where a message has it. */
export function readSuntechText(bytes: Uint8Array): SuntechText | null {
  const text = textOf(bytes);
  const within = dataWithin(bytes);
  const own = within === null ? text : text.slice(0, within.from) + text.slice(within.to);
  const [line = "", ...after] = own.split(/[\r\n]/);
  const [header = "", second = "", third = "", ...others] = line.split(";");
  const isSt9 = /^ST9\d\d$/.test(header);
  const isAnswer = second === "Res" || header === "RES";
  const hasWord = isSt9 || second === "Res";
  const id = hasWord ? third : second;
  if (!/^\w{4,20}$/.test(id)) return null;
  const isWhole = after.length > 0;
  const columns = hasWord ? others : line.split(";").slice(2);
  return {
    header,
    series: isSt9 ? header : header.slice(0, -3),
    kind: isSt9 ? second : header.slice(-3),
    id,
    isAnswer,
    // Where the end was lost, the last column may be, too.
    columns: isWhole ? columns : columns.slice(0, -1),
    data: within === null ? null : text.slice(within.from, within.to),
    isWhole,
  };
}

/** `20190220` and `12:05:04`, in UTC. */
export function suntechTime(date = "", time = ""): number | null {
  const match = /^(\d{4})(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(`${date} ${time}`);
  return match === null ? null : utcTime(match.slice(1).map(Number));
}

/** Where date and time stand side by side, and what they say; -1 and null: nowhere. */
export function timeIn(columns: readonly string[]): { readonly timeAt: number; readonly at: number | null } {
  const timeAt = columns.findIndex((date, index) => suntechTime(date, columns[index + 1]) !== null);
  return { timeAt, at: suntechTime(columns[timeAt], columns[timeAt + 1]) };
}

const placeForm = /^[-+]\d{1,3}\.\d{3,8}$/;

/** Whether two columns are a place: both have a sign and digits behind the point. */
export function isPlace(latitude = "", longitude = ""): boolean {
  return placeForm.test(latitude) && placeForm.test(longitude);
}
