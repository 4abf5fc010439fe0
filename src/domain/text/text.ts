/** Engines and terminals disagree on control characters and lone surrogates, so neither is text. */
export function isText(value: string, min: number, max: number): boolean {
  const length = value.length > max ? [...value].length : value.length;
  return length >= min && length <= max && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** Whether text holds characters that change the direction in which the text around it is read, in a list or a mail. */
export function turnsTextAround(value: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069]/.test(value);
}

/** A number with what it counts: `1 device`, `2 devices`. */
export function quantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
