/** Moments as a person enters them in `datetime-local`: by the clock of a time zone. Pure. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-05-01T08:30`. */
export function localText(at: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: zone });
    formats.set(zone, format);
  }
  return format.format(at).replace(" ", "T");
}

/** Null: no moment. An hour that the clocks leave out is the one after it. */
export function localMomentIn(text: string, zone: string): number | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (at: number) => Date.parse(`${localText(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000;
  const guess = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(guess);
}
