import { mixed, purposes, Random } from "../random.ts";
import type { Vehicle } from "./roster.ts";

/** The kinds of records: each has its own ids. */
const idKinds = { account: 1, user: 2, device: 3, fence: 4, driver: 5 } as const;

/** The same for the same seed, kind and number; in the form of a random UUID. */
export function simulatedId(seed: number, kind: keyof typeof idKinds, number: number): string {
  const hex = [1, 2, 3, 4]
    .map((part) => mixed(seed, purposes.identity, idKinds[kind], number, part).toString(16).padStart(8, "0"))
    .join("");
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}

/** 15 digits with the right check digit, as trackers have them. */
export function imeiOf(seed: number, index: number): string {
  const serial = (mixed(seed, purposes.identity) + index * 7) % 1_000_000;
  const digits = `35263704${String(serial).padStart(6, "0")}`;
  let sum = 0;
  for (const [place, digit] of [...digits].entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const letters = "ABCDEFGHJKLMNPRSTUVWXYZ";

export function plateOf(seed: number, index: number): string {
  const random = new Random(seed, purposes.identity, index, 1);
  const pair = random.pick([...letters]) + random.pick([...letters]);
  // The number distinguishes vehicles, whatever the letters are.
  return `B-${pair} ${1000 + ((index * 37) % 9000)}`;
}

export function nameOf({ kind, kindName }: Vehicle, number: number): string {
  return kindName === "linehaul" || kindName === "shuttle" || kindName === "container"
    ? `${kind.label} ${number}`
    : `${kind.label} ${String(number).padStart(2, "0")}`;
}
