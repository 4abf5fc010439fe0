/** Stretches of constant acceleration. Times are in seconds from the start of the drive, ways in metres. */
export interface Motion {
  readonly times: readonly number[];
  readonly ways: readonly number[];
  readonly speeds: readonly number[];
  readonly accelerations: readonly number[];
  readonly seconds: number;
  readonly metres: number;
}

/** Builds a motion from rest, stretch by stretch. */
export class MotionBuilder {
  readonly #motion = { ...noStretches(), seconds: 0, metres: 0 };

  #add(speed: number, acceleration: number, seconds: number, metres: number): void {
    if (seconds <= 0) return;
    const motion = this.#motion;
    motion.times.push(motion.seconds);
    motion.ways.push(motion.metres);
    motion.speeds.push(speed);
    motion.accelerations.push(acceleration);
    motion.seconds += seconds;
    motion.metres += metres;
  }

  wait(seconds: number): void {
    this.#add(0, 0, seconds, 0);
  }

  /** Accelerates to cruising speed, or as near as the stretch allows, and brakes. Both end speeds must be within reach. */
  drive(metres: number, from: number, cruise: number, to: number, up: number, down: number): void {
    const highest = Math.sqrt((2 * up * down * metres + down * from * from + up * to * to) / (up + down));
    const top = Math.max(from, to, Math.min(cruise, highest));
    const upMetres = (top * top - from * from) / (2 * up);
    const downMetres = (top * top - to * to) / (2 * down);
    const evenMetres = Math.max(0, metres - upMetres - downMetres);
    this.#add(from, up, (top - from) / up, upMetres);
    if (top > 0) this.#add(top, 0, evenMetres / top, evenMetres);
    this.#add(top, -down, (top - to) / down, downMetres);
  }

  finish(): Motion {
    return this.#motion;
  }
}

function noStretches(): Record<"times" | "ways" | "speeds" | "accelerations", number[]> {
  return { times: [], ways: [], speeds: [], accelerations: [] };
}

/** Reads a motion from start to end. Times and distances that are passed in must never go back. */
export class MotionReader {
  readonly #motion: Motion;
  #index = 0;

  constructor(motion: Motion) {
    this.#motion = motion;
  }

  /** The way at a moment. */
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

  /** When a way is passed. */
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
