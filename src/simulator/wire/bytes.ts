/** What trackers' messages are made of, as lists of bytes: a message has some dozens. */

/** A whole number from 0 on, the highest byte first; of one that is too large, its last bytes. */
export function bigEndian(value: number, length: number): number[] {
  const bytes: number[] = [];
  for (let rest = Math.floor(value); bytes.length < length; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

/** Decimal digits, two in each byte, with zeros in front. */
export function packedDigits(digits: string, length: number): number[] {
  return [...Uint8Array.fromHex(digits.padStart(2 * length, "0"))];
}

/** Of so many characters, filled up with zero bytes. Only ASCII and Latin letters: a plate has no others. */
export function fixedText(text: string, length: number): number[] {
  return [...Buffer.from(text.padEnd(length, "\0").slice(0, length), "latin1")];
}

/** Year, month, day, hour, minute and second as two digits each, of a moment by a clock that is ahead of UTC by so much. */
export function clockDigits(instant: string, aheadMs = 0): string {
  const shown = new Date(Date.parse(instant) + aheadMs).toISOString();
  return shown.slice(2, 19).replace(/\D/g, "");
}
