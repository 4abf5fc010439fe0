/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly truth: string;
  readonly goal: string;
  /** Null: reported, without a goal. */
  readonly isMet: boolean | null;
}

/** One line of the table at the end: the outcome of a whole case. */
export interface SummaryRow {
  readonly what: string;
  readonly now: string;
  readonly goal: string;
  readonly isMet: boolean | null;
}

export interface Findings {
  readonly rows: readonly Row[];
  readonly summary: readonly SummaryRow[];
}

export const verdict = (isMet: boolean | null) => (isMet === null ? "" : isMet ? "ok" : "MISSED");

export function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const text = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [text(head), `|${head.map(() => "---").join("|")}|`, ...lines.map(text)].join("\n");
}

export const km = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} km`;

export function percent(value: number, digits = 1): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(100 * value).toFixed(digits)} %`;
}

export const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
