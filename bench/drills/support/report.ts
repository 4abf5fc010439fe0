/** Prints a figure of a drill. */
export function print(what: string, value: string | number): void {
  console.log(`${what.padEnd(44)} ${value}`);
}

/** Prints the last line of a drill and sets the exit code. */
export function conclude(held: boolean, why = ""): void {
  console.log(held ? "held" : `not held${why === "" ? "" : `: ${why}`}`);
  process.exitCode = held ? 0 : 1;
}

/** The most frequent errors, with their digits made alike, so that many of one kind are one line. */
export function summary(errors: readonly { readonly kind: string; readonly error: string | null }[]): string {
  const counts = new Map<string, number>();
  for (const { kind, error } of errors) {
    const name = `${kind}: ${(error ?? "").replace(/[0-9a-f-]{36}/g, "ID").slice(0, 120)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([name, count]) => `${count} × ${name}`).join("; ") || "none";
}
