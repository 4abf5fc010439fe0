/** What a spreadsheet takes for the beginning of a formula, with the wide signs of East Asian keyboards. */
const signs = "=+\\-@\\uff1d\\uff0b\\uff0d\\uff20";

/** A text that a spreadsheet would run. One with apostrophes in front counts, so that exactly one can be taken away. */
const formula = new RegExp(`^'*[\\s\\0]*[${signs}\\t\\r]`, "u");

/**
 * The same behind a semicolon, a tab or a line break. Where those separate cells, as semicolons do in much of Europe, a text
 * is cut there, in spite of its quotes. So quotes do not count.
 */
const laterFormula = new RegExp(`(?<=[;\\t\\r\\n])(?=(?:[^\\S\\t\\r\\n]|[\\0'"])*[${signs}])`, "gu");
const laterGuarded = new RegExp(`(?<=[;\\t\\r\\n])'(?=(?:[^\\S\\t\\r\\n]|[\\0'"])*[${signs}])`, "gu");

/** The text with an apostrophe wherever a spreadsheet would otherwise run it: names of vehicles come from anybody. */
export function withoutFormula(text: string): string {
  const guarded = formula.test(text) ? `'${text}` : text;
  return guarded.replace(laterFormula, "'");
}

/** The text that `withoutFormula` was given. */
export function withFormula(text: string): string {
  const begun = text.replace(laterGuarded, "");
  return begun.startsWith("'") && formula.test(begun) ? begun.slice(1) : begun;
}
