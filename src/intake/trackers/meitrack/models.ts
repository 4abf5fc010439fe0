/**
 * What only the model shows, by the maker's description of its protocol: which input the key is wired to, and on which scale voltages
 * are. Others keep their inputs unread.
 */
export interface MeitrackModel {
  /** The input of the ignition, from 1; null: none is named. */
  readonly ignitionInput: number | null;
  /** Volts of one step of the supply's measurement; null: it measures none. */
  readonly supplyStep: number | null;
}

const [older, converter, hundredths] = [48 / 1024, (3.3 * 16) / 4096, 0.01];

const models: ReadonlyMap<string, MeitrackModel> = new Map([
  ["MVT100", { ignitionInput: 2, supplyStep: converter }],
  ["MVT340", { ignitionInput: 2, supplyStep: older }],
  ["MVT380", { ignitionInput: 4, supplyStep: older }],
  ["MVT600", { ignitionInput: 3, supplyStep: converter }],
  ["MVT800", { ignitionInput: 4, supplyStep: converter }],
  ["MT90", { ignitionInput: null, supplyStep: null }],
  ["T1", { ignitionInput: 3, supplyStep: converter }],
  ["T3", { ignitionInput: 3, supplyStep: converter }],
  ["TC68", { ignitionInput: null, supplyStep: converter }],
  ["TC68S", { ignitionInput: null, supplyStep: converter }],
  ["T311", { ignitionInput: null, supplyStep: hundredths }],
  ["T322X", { ignitionInput: 2, supplyStep: hundredths }],
  ["T333", { ignitionInput: 3, supplyStep: hundredths }],
  ["T355", { ignitionInput: null, supplyStep: hundredths }],
]);

/** By what the owner wrote: "Meitrack MVT380", "t333". Null: another, or not said. */
export function meitrackModel(text: string | null): MeitrackModel | null {
  const words = (text ?? "").toUpperCase().split(/[^A-Z\d]+/);
  for (const word of words) {
    const model = models.get(word);
    if (model !== undefined) return model;
  }
  return null;
}

/** `inputs`: the lowest bit is input 1. */
export function ignitionOfInputs(inputs: number, model: MeitrackModel | null): boolean | null {
  const input = model?.ignitionInput ?? null;
  return input === null ? null : ((inputs >> (input - 1)) & 1) === 1;
}
