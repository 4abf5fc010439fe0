import type { Texts } from "../texts.ts";

export const map: Texts["map"] = {
  title: "Karte",
  canvas: "Karte. Pfeiltasten verschieben sie, Plus und Minus zoomen",
  styleUnusable: "Der eingestellte Kartenstil kann nicht geladen werden. Dies ist die eingebaute Karte.",
  streetsUnusable: "Die Straßen können nicht geladen werden. Dies ist die grobe Karte.",
};
