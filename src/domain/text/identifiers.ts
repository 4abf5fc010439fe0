const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const imei = /^[0-9]{14,16}$/;

/** Any version, either case: ids come from other people's systems. We store them in lower case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** 14 to 16 digits. The check digit is not verified: many trackers ship with an IMEI that fails the Luhn sum. */
export function isImei(text: string): boolean {
  return imei.test(text);
}

/** The last digit of an IMEI, worked out from the 14 before it. */
export function imeiCheckDigit(digits: string): number {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10;
}

/** Whether an IMEI of 15 digits was probably mistyped. It may be right all the same: see above. */
export function hasWrongCheckDigit(text: string): boolean {
  return /^[0-9]{15}$/.test(text) && imeiCheckDigit(text.slice(0, 14)) !== Number(text[14]);
}

export const maxTrackerIdLength = 64;

const trackerId = new RegExp(`^[\\x21-\\x7e]{1,${maxTrackerIdLength}}$`);

/** What a tracker calls itself where that is no IMEI. Wires carry ASCII, and two texts that look the same must be the same. */
export function isTrackerId(text: string): boolean {
  return trackerId.test(text);
}

/**
 * What IMEIs and tracker ids are compared by. Protocols fill numbers up with zeros, each to another length, and people type
 * letters in either case. The key of a key is itself.
 */
export function trackerKey(text: string): string {
  return /^[0-9]+$/.test(text) ? text.replace(/^0+(?=.)/, "") : text.toLowerCase();
}

/** The IMEIs with this key, those that a tracker most probably means first: real ones have 15 digits. */
export function imeisWithKey(key: string): readonly string[] {
  if (!/^[0-9]{1,16}$/.test(key)) return [];
  return [15, 14, 16].filter((length) => length >= key.length).map((length) => key.padStart(length, "0"));
}
