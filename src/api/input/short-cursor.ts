import type { CursorContent } from "./cursor.ts";

/**
 * A cursor for a reader that pays for each character, as a model does. It has what the request cannot say again: where the page
 * begins, the window, the limit. The other parameters must be as they were; the MAC, which is over all of it, holds them to it.
 */
const mark = "~";
const separator = ".";

type Place = Pick<CursorContent, "window" | "limit" | "key">;

export function isShortCursor(text: string): boolean {
  return text.startsWith(mark);
}

export function shortCursor(content: CursorContent, sign: (text: string) => string): string {
  const place = placeText(content);
  return `${mark}${place}${separator}${sign(signedText(content, place))}`;
}

/** Null for a text that is no such cursor. It is not trusted yet: see `isSigned`. */
export function readShortCursor(text: string): (Place & { readonly mac: string }) | null {
  const [limit = "", fromMs = "", toMs = "", clamped = "", key = "", mac = "", ...others] = text
    .slice(1)
    .split(separator);
  const number = (part: string) => (/^-?[0-9a-z]{1,11}$/.test(part) ? Number.parseInt(part, 36) : Number.NaN);
  const numbers = [limit, ...(fromMs === "" ? [] : [fromMs, toMs])].map(number);
  if (others.length > 0 || mac === "" || numbers.some(Number.isNaN)) return null;
  const window = fromMs === "" ? null : { fromMs: number(fromMs), toMs: number(toMs), clamped: clamped === "1" };
  try {
    return { limit: number(limit), window, key: readKey(key), mac };
  } catch {
    return null;
  }
}

export function isSigned(content: CursorContent, mac: string, sign: (text: string) => string): boolean {
  return sign(signedText(content, placeText(content))) === mac;
}

function placeText({ limit, window, key }: Place): string {
  const ofWindow = window
    ? [window.fromMs.toString(36), window.toMs.toString(36), window.clamped ? "1" : ""]
    : ["", "", ""];
  return [limit.toString(36), ...ofWindow, keyText(key)].join(separator);
}

function signedText({ endpoint, userId, deviceId, filters }: CursorContent, place: string): string {
  return JSON.stringify([endpoint, userId, deviceId, Object.entries(filters).sort(), place]);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids are most of a key: in 22 characters instead of 36. */
function keyText(key: unknown): string {
  if (typeof key === "string" && uuid.test(key)) return `u${packed(key)}`;
  if (isTimeKey(key)) return `t${key.at.toString(36)}_${packed(key.id)}`;
  return `j${Buffer.from(JSON.stringify(key)).toString("base64url")}`;
}

function readKey(text: string): unknown {
  const rest = text.slice(1);
  if (text.startsWith("u")) return unpacked(rest);
  if (!text.startsWith("t")) return JSON.parse(Buffer.from(rest, "base64url").toString());
  const end = rest.indexOf("_");
  return { at: Number.parseInt(rest.slice(0, end), 36), id: unpacked(rest.slice(end + 1)) };
}

function isTimeKey(key: unknown): key is { readonly at: number; readonly id: string } {
  if (typeof key !== "object" || key === null || Object.keys(key).join() !== "at,id") return false;
  const { at, id } = key as { readonly at: unknown; readonly id: unknown };
  return Number.isSafeInteger(at) && typeof id === "string" && uuid.test(id);
}

function packed(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

function unpacked(text: string): string {
  const hex = Buffer.from(text, "base64url").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
