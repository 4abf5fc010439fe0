import { utcTime } from "../kit/values.ts";

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

const place = String.raw`[-+]\d{1,3}\.\d+;[-+]\d{1,3}\.\d+;`;
const column = String.raw`[^;\r\n]*;`;
/** The columns before a length of data, which follows and may hold anything, and how long it can be. */
const beforeData: readonly (readonly [columns: RegExp, maxBytes: number])[] = [
  [new RegExp(`^S[AT]\\d{3,4}UEX;(?:${column}){4,10}${place}(?:${column}){7}(\\d{1,4});`), 1_024],
  [new RegExp(`^UEX;(?:${column}){4,14}${place}(?:${column}){6}(\\d{1,4});`), 1_024],
  [/^CRR;\d+;\d+;\d+;(\d{1,4});/, 3_000],
];

/** Where a message has data that are not its own columns. */
export function dataWithin(text: string): { readonly from: number; readonly to: number } | null {
  for (const [pattern, maxBytes] of beforeData) {
    const match = pattern.exec(text);
    const length = Number(match?.[1]);
    if (match !== null && length <= maxBytes) return { from: match[0].length, to: match[0].length + length };
  }
  return null;
}

/** Null: it has no number where a message has it. */
export function readText(text: string): SuntechText | null {
  const within = dataWithin(text);
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
export function timeOf(date = "", time = ""): number | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? [];
  const [, hour, minute, second] = /^(\d\d):(\d\d):(\d\d)$/.exec(time) ?? [];
  if (year === undefined || hour === undefined) return null;
  return utcTime(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
}

const placeForm = /^[-+]\d{1,3}\.\d{3,8}$/;

/** Whether two columns are a place: both have a sign and digits behind the point. */
export function isPlace(latitude = "", longitude = ""): boolean {
  return placeForm.test(latitude) && placeForm.test(longitude);
}
