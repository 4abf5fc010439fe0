/** How many digits of a scaled integer stand behind the decimal point. */
export type Digits = 0 | 1 | 3 | 6 | 7;

const zero = 48;
const point = 46;
const minus = 45;

/** The three digits of 0 to 999, first digit in the highest byte, so that one store writes them. */
const threeDigits = Int32Array.from({ length: 1000 }, (_, number) => {
  const hundreds = Math.floor(number / 100);
  const tens = Math.floor(number / 10) % 10;
  return ((zero + hundreds) << 24) | ((zero + tens) << 16) | ((zero + (number % 10)) << 8);
});

/**
 * Writes an integer that counts tenths, thousandths … as a decimal number, exactly as
 * `JSON.stringify(value / 10 ** digits)` would, and gives the place behind it. Nothing is rounded: a number of up to 15
 * digits is its own shortest form. Up to three bytes behind the end are overwritten.
 */
export function writeDecimal(view: DataView, at: number, value: number, digits: Digits): number {
  // A double turns to the form 1e-7 below a millionth; larger integers and whatever is no integer are rare.
  if ((value | 0) !== value || (digits === 7 && value < 10 && value > -10)) {
    return writeAscii(view, at, String(value / 10 ** digits));
  }
  if (value < 0) {
    view.setUint8(at, minus);
    return writeDecimal(view, at + 1, -value, digits);
  }
  switch (digits) {
    case 0:
      return writeInteger(view, at, value);
    case 1: {
      const whole = (value / 10) | 0;
      return writeTenths(view, writeInteger(view, at, whole), value - whole * 10);
    }
    case 3:
      return writeThousandths(view, at, value);
    case 6: {
      const whole = (value / 1_000_000) | 0;
      return writeMillionths(view, writeInteger(view, at, whole), value - whole * 1_000_000);
    }
    case 7:
      return writeSevenDigits(view, at, value);
  }
}

/** The same for thousandths, apart because most numbers are such: this is small enough to be compiled in place. */
export function writeThousandths(view: DataView, at: number, value: number): number {
  if ((value | 0) !== value || value < 0) return writeDecimal(view, at, value, 3);
  const whole = (value / 1000) | 0;
  return writeFraction(view, writeInteger(view, at, whole), value - whole * 1000);
}

function writeSevenDigits(view: DataView, at: number, value: number): number {
  const whole = (value / 10_000_000) | 0;
  const rest = value - whole * 10_000_000;
  const end = writeInteger(view, at, whole);
  const millionths = (rest / 10) | 0;
  const last = rest - millionths * 10;
  if (last === 0) return writeMillionths(view, end, millionths);
  const thousandths = (millionths / 1000) | 0;
  view.setUint8(end, point);
  view.setInt32(end + 1, threeDigits[thousandths] as number);
  view.setInt32(end + 4, threeDigits[millionths - thousandths * 1000] as number);
  view.setUint8(end + 7, zero + last);
  return end + 8;
}

function writeInteger(view: DataView, at: number, value: number): number {
  if (value < 1000) {
    const digits = threeDigits[value] as number;
    const missing = value < 10 ? 2 : value < 100 ? 1 : 0;
    view.setInt32(at, digits << (missing * 8));
    return at + 3 - missing;
  }
  const thousands = (value / 1000) | 0;
  const end = writeInteger(view, at, thousands);
  view.setInt32(end, threeDigits[value - thousands * 1000] as number);
  return end + 3;
}

function writeTenths(view: DataView, at: number, tenths: number): number {
  if (tenths === 0) return at;
  view.setUint8(at, point);
  view.setUint8(at + 1, zero + tenths);
  return at + 2;
}

/** A point and up to three digits, or nothing. */
function writeFraction(view: DataView, at: number, thousandths: number): number {
  if (thousandths === 0) return at;
  view.setUint8(at, point);
  return writeThree(view, at + 1, thousandths);
}

function writeMillionths(view: DataView, at: number, millionths: number): number {
  const thousandths = (millionths / 1000) | 0;
  const rest = millionths - thousandths * 1000;
  if (rest === 0) return writeFraction(view, at, thousandths);
  view.setUint8(at, point);
  view.setInt32(at + 1, threeDigits[thousandths] as number);
  return writeThree(view, at + 4, rest);
}

/** Three digits that are not all zero, without the zeros at their end. */
function writeThree(view: DataView, at: number, value: number): number {
  const digits = threeDigits[value] as number;
  view.setInt32(at, digits);
  if (((digits >>> 8) & 0xff) !== zero) return at + 3;
  return ((digits >>> 16) & 0xff) !== zero ? at + 2 : at + 1;
}

function writeAscii(view: DataView, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}

/** The two digits of 0 to 99 are what times are made of. */
export function writeTwoDigits(view: DataView, at: number, value: number): number {
  view.setInt32(at, (threeDigits[value] as number) << 8);
  return at + 2;
}

export function writeThreeDigits(view: DataView, at: number, value: number): number {
  view.setInt32(at, threeDigits[value] as number);
  return at + 3;
}
