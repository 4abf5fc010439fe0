import type { MeitrackModel } from "./models.ts";

const [minCellHundredths, maxCellHundredths] = [280, 450];

/**
 * Volts of the vehicle, of two measurements: the tracker's battery and the vehicle. Older models send what their converter measured, each
 * on a scale of its own, newer ones hundredths of a volt: the model shows which. Where it is not known: a lithium cell has 2.8 to 4.5 V,
 * which on no older scale is a number between 280 and 450, so the battery shows whether the other is volts.
 */
export function supplyVolts(battery: number | null, vehicle: number, model: MeitrackModel | null): number | null {
  const isVolts = battery !== null && battery >= minCellHundredths && battery <= maxCellHundredths;
  const step = model === null ? (isVolts ? 0.01 : null) : model.supplyStep;
  // Trackers without a supply send 0.
  return step === null || vehicle === 0 ? null : Math.round(vehicle * step * 100) / 100;
}
