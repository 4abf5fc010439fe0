/** `(013612345678BR00…)`, or with commas `(864768011069660,ZC11,…)`. */
export interface Tk103Message {
  readonly id: string;
  /** Two letters and two digits, such as BR00. */
  readonly kind: string;
  readonly body: string;
  /** With commas the date is written day first. */
  readonly hasCommas: boolean;
}

/** The number has 12 characters; some models send 11, or the 15 of an IMEI. */
const glued = /^\(([\w-]{10,15}?)(B[A-Z]\d\d)([\s\S]*)\)$/;
const separated = /^\(([\w-]{6,20}),([A-Z]{2}[\dA-F]{2}),?([\s\S]*)\)$/;

export function readMessage(text: string): Tk103Message | null {
  const match = separated.exec(text) ?? glued.exec(text);
  if (match === null) return null;
  const [, id = "", kind = "", body = ""] = match;
  return { id, kind, body, hasCommas: text.charAt(1 + id.length) === "," };
}
