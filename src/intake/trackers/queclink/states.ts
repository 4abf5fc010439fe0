/** What the device takes its vehicle to be doing, in the codes that all models share. */
interface DeviceState {
  /** Null: no ignition wire. */
  readonly ignition: boolean | null;
  readonly isMoving: boolean;
}

const states: Readonly<Record<string, DeviceState>> = {
  "11": { ignition: false, isMoving: false },
  "12": { ignition: false, isMoving: true },
  /** Towed. */
  "16": { ignition: false, isMoving: true },
  /** Perhaps towed. */
  "1A": { ignition: false, isMoving: true },
  "21": { ignition: true, isMoving: false },
  "22": { ignition: true, isMoving: true },
  "41": { ignition: null, isMoving: false },
  "42": { ignition: null, isMoving: true },
};

export function stateOf(code = ""): DeviceState | null {
  return states[code.toUpperCase()] ?? null;
}

/** As a part of a pattern. */
export const anyState = `(?:${Object.keys(states).join("|")})`;
