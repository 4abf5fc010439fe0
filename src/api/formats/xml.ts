/** Texts that XML 1.0 cannot hold, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(unwritable, "\ufffd").replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** An element with a value, or nothing if there is none. */
export function element(name: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  return `<${name}>${typeof value === "number" ? decimal(value) : escaped(String(value))}</${name}>`;
}

/** Without an exponent, which schemas of XML do not take for a decimal number: 1.5e-7 is 0.00000015. */
export function decimal(value: number): string {
  const [digits = "", exponent] = String(value).split("e");
  if (exponent === undefined) return digits;
  const [sign, plain] = digits.startsWith("-") ? ["-", digits.slice(1)] : ["", digits];
  const [whole = "", fraction = ""] = plain.split(".");
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${"0".repeat(-shift - whole.length)}${whole}${fraction}`;
  return sign + whole + fraction.padEnd(shift, "0");
}
