import { type RecipeName, recipes } from "./recipes.ts";

/** Common trackers by what is printed on their box. docs/trackers.md has the same names. */
const listed: Readonly<Partial<Record<RecipeName, readonly string[]>>> = {
  gt06: [
    ...["GT06", "GT06N", "GT06E", "GT02A", "GT02E", "GK310", "JI09", "Wetrack 2", "C5", "JM-VL03", "VL100", "VL103"],
    ...["VL512", "VL842", "LL301", "LL303", "JC100", "JC400", "Wanway S20", "Wanway G18", "Wanway S5"],
    ...["Seeworld GL21L", "VXT01", "Benway", "WeTrust", "SL4X", "AZ735", "SR411 mini", "X1", "TRX16i", "LW4G"],
    ...["NT11", "NT20", "NT46", "XT40", "QH302R", "FM08ABC"],
  ],
  topin: ["Topin", "Zhongxun", "365GPS"],
  h02: ["ST-901", "ST-901M", "ST-902", "ST-904", "ST-905", "ST-906", "TK102"],
  jt808: [
    ...["ST-901A+", "JT808", "BSJ", "HB-R03GBD", "Xinghai", "Carscop", "AOVX GL100", "AOVX AL300", "AOVX VL300"],
    ...["GoSafe G1A", "GoSafe G1C", "TK905B", "Cantrack", "Xinchun C5", "Xinchun C5L", "Mobicom", "NatureLink"],
    ...["JXYD JX08", "Holloo", "HHD", "Jointech JT701", "Jointech JT705A", "Jointech JT709A"],
  ],
  jimi_jt808: ["VL502", "JC371", "JC181", "JC182", "JC450", "JC451", "MD300"],
  g10ls: ["G10LS"],
  micodus: ["Micodus MV710G", "Micodus MV810G"],
  gps103: ["GPS103", "Coban TK103A", "Coban TK103B", "Coban 303", "Coban TK303", "Coban TK303G", "Coban TK305"],
  tk103: ["Xexun TK103", "TK103", "TK102B", "KX402"],
  suntech: ["ST300", "ST310U", "ST340", "ST350"],
  suntech_universal: ["ST4300", "ST4315", "ST4340"],
  suntech_other: ["SA200", "ST390", "ST410", "ST500", "ST600R", "ST910"],
  meitrack: [
    ...["MVT100", "MVT340", "MVT380", "MVT600", "MVT800", "MT90", "T1", "T3", "T311", "T322X", "T333", "T355"],
    ...["T366", "T622", "T633L", "TC68", "P66", "P88L", "P99G", "TS299L"],
  ],
  ruptela: [
    ...[
      "FM-Eco3",
      "FM-Eco4",
      "FM-Eco4+",
      "FM-Pro3",
      "FM-Pro4",
      "FM-Tco4",
      "FM-Plug4",
      "HCV5",
      "LCV5",
      "Trace5",
      "Pro5",
    ],
    "Eco4",
  ],
  topflytech: [
    ...["T8803", "T8806", "T8808", "T8608", "TLW1", "TLW2-12B", "TLW2-12BL", "TLP1", "TLP2-SFB", "TLD1", "TLD2"],
    ...["PioneerX 100", "PioneerX 101", "TorchX 100", "TorchX 110", "SolarX 110", "SolarX 120", "SolarGuardX 110"],
    "KnightX 100",
  ],
  galileosky: [
    "Galileosky 5.0",
    "Galileosky 5.1",
    "Galileosky 7.0",
    "Galileosky 7x",
    "Galileosky Base Block",
    "Galileosky 10",
  ],
  queclink: ["GL300", "GV55", "GV200", "GV300", "GV500", "GMT100"],
};

/** Names that follow a rule. A listed one comes first. */
const patterns: readonly (readonly [RegExp, RecipeName])[] = [
  [/^(?:TELTONIKA)?((?:FM[BCMUTP]|FTC|FTM|MTB|MSP|TAT|TMT)\d*)$/, "teltonika"],
  [/^(?:TELTONIKA)?(FM\d{1,4})$/, "teltonika_old"],
  [/^(?:QUECLINK)?((?:GL|GV|GB|GMT|CV)\d{2,3}[A-Z]*|GT[35]01)$/, "queclink_new"],
];

/** To choose from, where a person knows the maker only. Others are found by their model. */
export const recipeFamilies: readonly RecipeName[] = [
  ...(["gt06", "h02", "gps103", "tk103", "teltonika", "teltonika_old"] as const),
  ...(["queclink", "queclink_new", "suntech", "suntech_universal", "suntech_other", "jt808"] as const),
  ...(["meitrack", "ruptela", "topflytech", "galileosky", "wialon"] as const),
];

export interface TrackerModel {
  readonly name: string;
  readonly recipe: RecipeName;
}

const models: readonly (TrackerModel & { readonly key: string })[] = Object.entries(listed).flatMap(
  ([recipe, names]) => {
    return names.map((name) => ({ name, recipe: recipe as RecipeName, key: keyOf(name) }));
  },
);

const maxFound = 8;

/** "st 901" is ST-901. */
function keyOf(text: string): string {
  return text.toUpperCase().replaceAll(/[\s_/-]/g, "");
}

/** The models that a person may mean, the likeliest first. Pure. */
export function findModels(typed: string): readonly TrackerModel[] {
  const wanted = keyOf(typed);
  if (wanted.length < 2) return [];
  const byName = models
    .map(({ key, ...model }) => ({ model, rank: rankOf(key, wanted, model.recipe) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((one, other) => one.rank - other.rank)
    .map(({ model }) => model);
  const names = new Set(byName.map(({ name }) => keyOf(name)));
  const byPattern = patterns.flatMap(([pattern, recipe]) => {
    const name = pattern.exec(wanted)?.[1];
    // Also with the maker's name before it: one model is offered once.
    return name === undefined || names.has(name) || names.has(wanted) ? [] : [{ name, recipe }];
  });
  return [...byName, ...byPattern].slice(0, maxFound);
}

const noMatch = 5;

/** Equal, begins so, contains it, is contained in what was typed with a maker's name, of that maker. */
function rankOf(key: string, wanted: string, recipe: RecipeName): number {
  if (key === wanted) return 0;
  if (key.startsWith(wanted)) return 1;
  if (key.includes(wanted)) return 2;
  if (key.length >= 4 && wanted.endsWith(key)) return 3;
  return keyOf(recipes[recipe].makers).includes(wanted) && wanted.length >= 4 ? 4 : noMatch;
}
