/** Engines and terminals disagree on control characters and on half a surrogate pair, so neither is text. */
export function isText(value: string, least: number, most: number): boolean {
  const length = value.length > most ? [...value].length : value.length;
  return length >= least && length <= most && value.isWellFormed() && !/\p{Cc}/u.test(value);
}
