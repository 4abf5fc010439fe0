import { type DriveFrame, driveFrames } from "../support/drive.ts";
import type { Fleet } from "./fleet.ts";

const stepMs = 10_000;
const maxPerBody = 500;
/** Of frames that are not measured. Half of what one body may have. */
const earlierPerBody = 5_000;
/** These devices of each account have enough frames for pages of history. */
export const devicesWithHistory = 4;
export const historyFrames = 1_000;

/** Frames in one body of `POST /frames`, all of one account. */
export interface Body {
  readonly account: number;
  readonly text: string;
}

/** All vehicles of a fleet on their way. Each store gets the same bodies. */
export class Traffic {
  readonly #drives: Generator<DriveFrame>[][];
  readonly #next: number[];
  readonly framesPerBody: number;

  constructor(
    readonly fleet: Fleet,
    readonly firstAt: number,
  ) {
    this.#drives = Array.from({ length: fleet.accounts }, (_, account) =>
      Array.from({ length: fleet.devicesEach }, (_, device) => {
        const seed = account * fleet.devicesEach + device;
        return driveFrames({ seed, firstAt: firstAt + (seed % stepMs), count: Number.MAX_SAFE_INTEGER, stepMs });
      }),
    );
    this.#next = Array.from({ length: fleet.accounts }, () => 0);
    this.framesPerBody = Math.min(maxPerBody, fleet.devicesEach);
  }

  /**
   * What is stored before anything is measured: of some devices a history, of the others 8 to 47 frames. So, as in a store
   * that has run for long, one frame in 40 moves the newest frames of its device into a block.
   */
  *earlier(): Generator<Body> {
    for (let account = 0; account < this.fleet.accounts; account++) {
      let frames: object[] = [];
      for (let device = 0; device < this.fleet.devicesEach; device++) {
        const count = device < devicesWithHistory ? historyFrames : 8 + (device % 40);
        for (let index = 0; index < count; index++) frames.push(this.#frame(account, device));
        if (frames.length < earlierPerBody) continue;
        yield { account, text: JSON.stringify(frames) };
        frames = [];
      }
      if (frames.length > 0) yield { account, text: JSON.stringify(frames) };
    }
  }

  /** Bodies of up to 500 devices with a frame each, of the first accounts in turn. */
  bodies(count: number, accounts: number): Body[] {
    return Array.from({ length: count }, (_, index) => {
      const account = index % accounts;
      const frames = Array.from({ length: this.framesPerBody }, () => {
        const device = (this.#next[account] ?? 0) % this.fleet.devicesEach;
        this.#next[account] = device + 1;
        return this.#frame(account, device);
      });
      return { account, text: JSON.stringify(frames) };
    });
  }

  #frame(account: number, device: number): object {
    const drive = this.#drives[account]?.[device] as Generator<DriveFrame, never>;
    const { received_at: _, ...frame } = drive.next().value;
    return { imei: this.fleet.imei(account, device), ...frame };
  }
}
