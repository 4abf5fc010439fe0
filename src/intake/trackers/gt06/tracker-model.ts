/** Models whose messages nothing in the bytes tells from those of others: only the device's `tracker_model` shows them. */
export type Gt06Model = "r11" | "lw" | "seeworld" | "vl";

/** The first that fits. Of Seeworld, only the plain name: its models differ. */
const names: readonly (readonly [Gt06Model, RegExp])[] = [
  ["r11", /\bR11\b/],
  ["lw", /\bLW\d/],
  ["vl", /\b(?:VL103|VL512|LL303|G18(?!\d))/],
  ["seeworld", /^SEEWORLD$/],
];

/** By what the owner wrote: "Lantrix R11", "lw4g-4b". Null: another, or not said. */
export function gt06Model(text: string | null): Gt06Model | null {
  const upper = (text ?? "").trim().toUpperCase();
  return names.find(([, pattern]) => pattern.test(upper))?.[0] ?? null;
}
