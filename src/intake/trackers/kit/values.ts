/** Values as trackers write them. Each gives null where the value cannot be. */

/** From year to second, in ms since 1970, UTC. A date that does not exist, such as 31 February, is null. A year has two or four digits. */
export function utcTime(parts: Iterable<number | undefined>): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const full = year < 100 ? 2000 + year : year;
  const at = Date.UTC(full, month - 1, day, hour, minute, second);
  if (Number.isNaN(at)) return null;
  const date = new Date(at);
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  return isReal ? at : null;
}

/** `5233.5412` is 52° 33.5412′: the last two digits before the point are minutes. Without a point it is none: such a number was cut. To a tenth of a micro-degree. */
export function degreesOfMinutes(text: string, hemisphere: string): number | null {
  const match = /^(\d{1,3})(\d\d\.\d+)$/.exec(text);
  if (match === null) return null;
  const minutes = Number(match[2]);
  const sign = hemisphere === "S" || hemisphere === "W" ? -1 : 1;
  return minutes < 60 ? sign * toSeventh(Number(match[1]) + minutes / 60) : null;
}

/** As many digits as any tracker knows: a centimetre. */
export function toSeventh(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** `20260102030405`, UTC: as several protocols write the time in a reply. */
export function digitsOfTime(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, "").slice(0, 14);
}

/** `0x2a`: for the names of numbers that the owner sees. */
export function hexNumber(number: number, digits = 2): string {
  return `0x${number.toString(16).padStart(digits, "0")}`;
}
