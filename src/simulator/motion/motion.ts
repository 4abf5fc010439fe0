/** Stretches of constant acceleration. Times are in seconds from the start of the drive, ways in metres. */
export interface MotionState {
  readonly times: readonly number[];
  readonly ways: readonly number[];
  readonly speeds: readonly number[];
  readonly accelerations: readonly number[];
  readonly seconds: number;
  readonly metres: number;
}

/** Reads a motion from start to end. Times and distances that are passed in must never go back. */
export class MotionReader {
  readonly #motion: MotionState;
  #index = 0;

  constructor(motion: MotionState) {
    this.#motion = motion;
  }

  wayAt(seconds: number): number {
    const { times, ways, speeds, accelerations } = this.#motion;
    if (seconds >= this.#motion.seconds) return this.#motion.metres;
    while (this.#index + 1 < times.length && (times[this.#index + 1] as number) <= seconds) this.#index++;
    const index = this.#index;
    const passed = seconds - (times[index] ?? 0);
    return (ways[index] ?? 0) + passed * ((speeds[index] ?? 0) + (passed * (accelerations[index] ?? 0)) / 2);
  }

  /** The speed at the last moment that was passed in. */
  speedAt(seconds: number): number {
    const { times, speeds, accelerations } = this.#motion;
    if (seconds >= this.#motion.seconds) return 0;
    const index = this.#index;
    return Math.max(0, (speeds[index] ?? 0) + (seconds - (times[index] ?? 0)) * (accelerations[index] ?? 0));
  }

  timeAt(metres: number): number {
    const { times, ways, speeds, accelerations } = this.#motion;
    if (metres >= this.#motion.metres) return this.#motion.seconds;
    let index = this.#index;
    while (index + 1 < ways.length && (ways[index + 1] as number) < metres) index++;
    const left = metres - (ways[index] ?? 0);
    const speed = speeds[index] ?? 0;
    const acceleration = accelerations[index] ?? 0;
    if (left <= 0) return times[index] ?? 0;
    if (acceleration === 0) return (times[index] ?? 0) + left / speed;
    const root = Math.sqrt(Math.max(0, speed * speed + 2 * acceleration * left));
    return (times[index] ?? 0) + (root - speed) / acceleration;
  }
}
