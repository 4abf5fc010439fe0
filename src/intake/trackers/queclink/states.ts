/** What the device takes its vehicle to be doing. */
interface DeviceState {
  /** Null: no ignition wire. */
  readonly ignition: boolean | null;
  readonly isMoving: boolean;
}

/** The first digit of a state. */
const ignitions: Readonly<Record<string, boolean | null>> = { 1: false, 2: true, 4: null };
/** The second: at rest, moving, towed, perhaps towed. */
const movements: Readonly<Record<string, boolean>> = { 1: false, 2: true, 6: true, A: true };

/** Of two digits: 11, 12, 16, 1A, 21, 22, 41 and 42 are in use. */
export function queclinkState(code = ""): DeviceState | null {
  const [first = "", second = ""] = code.length === 2 ? code.toUpperCase() : "";
  const ignition = ignitions[first];
  const isMoving = movements[second];
  return ignition === undefined || isMoving === undefined ? null : { ignition, isMoving };
}
