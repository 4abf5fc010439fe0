/** Engines and terminals disagree on control characters and on half a surrogate pair, so neither is text. */
export function isText(value: string, least: number, most: number): boolean {
  const length = value.length > most ? [...value].length : value.length;
  return length >= least && length <= most && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** A number with what it counts: `1 device`, `2 devices`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
