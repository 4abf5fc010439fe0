/** What depends on the model, which is the first two digits of the version, or six if they begin with 80. */
export interface Model {
  /** Report FRI and its relatives have the vehicle's VIN before the name. */
  readonly hasVin?: true;
  /** Battery and temperature stand before the position. */
  readonly batteryBeforePosition?: true;
  /** The state of the device has two digits without those of inputs and outputs. */
  readonly shortState?: true;
  /** Which bits of the append mask have a column, if not all. */
  readonly appendBits?: number;
  /** Which of them is the number of satellites in use, if not the first. */
  readonly satellitesBit?: number;
  /** What 0 means in report IGL; null: not known. The others turn on with 0. */
  readonly ignitionOfZero?: boolean | null;
  /** The total mileage in report INF. */
  readonly mileageInInformation?: true;
  /** No hours and inputs between mileage and battery. */
  readonly batteryAfterMileage?: true;
  /** FRI ends with mileage, hours, one input, battery. */
  readonly oneInput?: true;
}

const usual: Model = {};
const gl500: Model = { batteryBeforePosition: true };
const gv500: Model = { hasVin: true };
const gl300: Model = { mileageInInformation: true };
const gmt100: Model = { oneInput: true };
const cv: Model = { shortState: true, appendBits: 0b101, satellitesBit: 2 };

const models: Readonly<Record<string, Model>> = {
  "08": gmt100,
  "11": gl500,
  "1A": gl300,
  "1F": gv500,
  "24": gmt100,
  "28": gl300,
  "2C": gl300,
  "2D": gv500,
  "30": gl300,
  "36": gv500,
  "3F": gmt100,
  "40": gl500,
  "44": gl500,
  "56": gv500,
  "5E": gv500,
  "6E": { appendBits: 0b1001 },
  BD: { ...cv, ignitionOfZero: false },
  C3: { batteryAfterMileage: true },
  DF: { ...cv, ignitionOfZero: null },
};

export function modelOf(version: string): Model {
  return models[version.slice(0, version.startsWith("80") ? 6 : 2).toUpperCase()] ?? usual;
}
