import { bytesOf } from "../kit/bytes.ts";

/** What each type answers to a wrong checksum. A black box has no code for it: it says how many records were stored. */
export const codeOfWrongSum: Readonly<Record<string, string>> = { L: "10", SD: "13", D: "16", B: "0" };

/** `#AD#1`: the type with an A before it, and how many were stored, or a code. */
export function answer(type: string, code: string): Uint8Array {
  return bytesOf(`#A${type}#${code}\r\n`);
}
