/** "1 vehicle", "2 vehicles": the languages of the portal have two forms. */
export function plural(count: number, shown: string, one: string, many: string): string {
  return `${shown} ${count === 1 ? one : many}`;
}
