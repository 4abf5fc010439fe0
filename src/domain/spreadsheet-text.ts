/**
 * What a spreadsheet would take for a formula, also behind blanks, and with the wide signs of East Asian keyboards. A text that
 * has apostrophes in front of that counts, too, so that exactly one apostrophe can be taken away again.
 */
const formula = /^'*[\s\0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;

/** The text with an apostrophe in front if a spreadsheet would otherwise run it: names of vehicles come from anybody. */
export function withoutFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text that `withoutFormula` was given. */
export function withFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
