/** What a vehicle is used for, and what it is. Durations are from the shortest to the longest. */
export interface VehicleKind {
  readonly label: string;
  readonly vehicleType: string;
  readonly models: readonly (readonly [make: string, model: string])[];
  readonly tankL: number;
  readonly litresPer100Km: number;
  readonly idleLitresPerHour: number;
  /** Null: the driver's choice. */
  readonly capKmh: number | null;
  readonly accelerationMs2: number;
  readonly systemVoltage: 12 | 24;
  /** When the shift usually begins, in local hours. */
  readonly shiftStart: readonly [number, number];
  readonly visits: readonly [number, number];
  readonly visitMinutes: readonly [number, number];
  /** How far customers are from where the vehicle works, by road. */
  readonly districtKm: number;
  /** The chance that a stop is made with the engine running. */
  readonly keepsRunning: number;
  /** How likely it works on a weekday, a Saturday and a Sunday. */
  readonly works: readonly [weekday: number, saturday: number, sunday: number];
  /** The chance to spend the night away from its depot. */
  readonly staysAway: number;
}

type About = Pick<VehicleKind, "label" | "vehicleType"> & { readonly models: string };
type Engine = Pick<
  VehicleKind,
  "tankL" | "litresPer100Km" | "idleLitresPerHour" | "capKmh" | "accelerationMs2" | "systemVoltage"
>;
type Shift = Pick<VehicleKind, "shiftStart" | "visits" | "visitMinutes" | "districtKm">;
type Habits = Pick<VehicleKind, "works"> & Partial<Pick<VehicleKind, "keepsRunning" | "staysAway">>;

/** The first word of each model is its make. */
function kind({ models, ...about }: About, engine: Engine, shift: Shift, habits: Habits): VehicleKind {
  const pairs = models.split(", ").map((text) => {
    const [make = "", ...model] = text.split(" ");
    return [make, model.join(" ")] as const;
  });
  return { ...about, models: pairs, ...engine, ...shift, keepsRunning: 0, staysAway: 0, ...habits };
}

export const vehicleKinds = {
  parcel: kind(
    { label: "Van", vehicleType: "van", models: "Mercedes-Benz Sprinter, Ford Transit, Volkswagen Crafter" },
    { tankL: 75, litresPer100Km: 9.5, idleLitresPerHour: 0.9, capKmh: 125, accelerationMs2: 1.2, systemVoltage: 12 },
    { shiftStart: [6, 7.75], visits: [18, 26], visitMinutes: [4, 13], districtKm: 16 },
    { works: [0.96, 0.7, 0.3], keepsRunning: 0.06 },
  ),
  service: kind(
    { label: "Service", vehicleType: "van", models: "Volkswagen Caddy, Renault Kangoo, Citroën Berlingo" },
    { tankL: 60, litresPer100Km: 6.8, idleLitresPerHour: 0.7, capKmh: 135, accelerationMs2: 1.4, systemVoltage: 12 },
    { shiftStart: [6.75, 8], visits: [5, 8], visitMinutes: [30, 80], districtKm: 40 },
    { works: [0.95, 0.4, 0.3] },
  ),
  truck: kind(
    { label: "Truck", vehicleType: "truck", models: "MAN TGM, Mercedes-Benz Atego, DAF LF" },
    { tankL: 300, litresPer100Km: 26, idleLitresPerHour: 2.2, capKmh: 85, accelerationMs2: 0.7, systemVoltage: 24 },
    { shiftStart: [4.5, 6], visits: [8, 12], visitMinutes: [15, 40], districtKm: 110 },
    { works: [0.97, 0.4, 0], keepsRunning: 0.1 },
  ),
  tourer: kind(
    { label: "Tourer", vehicleType: "truck", models: "Scania R 450" },
    { tankL: 600, litresPer100Km: 29, idleLitresPerHour: 2.4, capKmh: 87, accelerationMs2: 0.55, systemVoltage: 24 },
    { shiftStart: [5, 6.5], visits: [5, 8], visitMinutes: [25, 50], districtKm: 130 },
    { works: [1, 0, 0], keepsRunning: 0.05, staysAway: 0.6 },
  ),
  reefer: kind(
    { label: "Reefer", vehicleType: "truck", models: "Iveco Eurocargo" },
    { tankL: 240, litresPer100Km: 27, idleLitresPerHour: 3, capKmh: 85, accelerationMs2: 0.7, systemVoltage: 24 },
    { shiftStart: [3.75, 5], visits: [9, 13], visitMinutes: [10, 28], districtKm: 70 },
    { works: [1, 0.9, 0.5], keepsRunning: 0.35 },
  ),
  linehaul: kind(
    { label: "Line haul", vehicleType: "truck", models: "Volvo FH" },
    { tankL: 700, litresPer100Km: 30, idleLitresPerHour: 2.4, capKmh: 88, accelerationMs2: 0.5, systemVoltage: 24 },
    { shiftStart: [20, 22], visits: [1, 1], visitMinutes: [45, 80], districtKm: 0 },
    { works: [1, 0, 0.5] },
  ),
  car: kind(
    { label: "Car", vehicleType: "car", models: "Škoda Octavia, Volkswagen Passat, Toyota Corolla" },
    { tankL: 50, litresPer100Km: 6.2, idleLitresPerHour: 0.6, capKmh: null, accelerationMs2: 1.6, systemVoltage: 12 },
    { shiftStart: [7.5, 9], visits: [4, 7], visitMinutes: [35, 80], districtKm: 60 },
    { works: [0.92, 0.4, 0.35], staysAway: 0.06 },
  ),
  shuttle: kind(
    { label: "Shuttle", vehicleType: "bus", models: "Mercedes-Benz Sprinter Travel" },
    { tankL: 90, litresPer100Km: 10.5, idleLitresPerHour: 1, capKmh: 105, accelerationMs2: 1, systemVoltage: 12 },
    { shiftStart: [5.5, 6], visits: [13, 15], visitMinutes: [4, 11], districtKm: 0 },
    { works: [1, 1, 1], keepsRunning: 0.7 },
  ),
  container: kind(
    { label: "Container", vehicleType: "container", models: "Schmitz Swap body" },
    { tankL: 0, litresPer100Km: 0, idleLitresPerHour: 0, capKmh: null, accelerationMs2: 1, systemVoltage: 12 },
    { shiftStart: [0, 0], visits: [0, 0], visitMinutes: [0, 0], districtKm: 0 },
    { works: [0, 0, 0] },
  ),
};

export type VehicleKindName = keyof typeof vehicleKinds;
