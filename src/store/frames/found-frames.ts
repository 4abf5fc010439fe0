import type { Frame, SensorReport } from "../../domain/frame.ts";
import type { FrameBlock } from "../blocks/frame-block.ts";
import type { FrameLine } from "../blocks/frame-line.ts";
import type { ReportedPlace, StoredFrame } from "../blocks/stored-frame.ts";

export type FoundFrame = FrameInBlock | FrameLine;
/** One frame or several. */
export type FoundRun = FrameRun | FrameLine;

/** Frames of a block that follow each other. A page needs no object for each of them. */
export class FrameRun {
  constructor(
    readonly block: FrameBlock,
    readonly start: number,
    readonly end: number,
  ) {}

  frames(): FrameInBlock[] {
    return Array.from(
      { length: this.end - this.start },
      (_, index) => new FrameInBlock(this.block, this.start + index),
    );
  }
}

/** One of them. */
export class FrameInBlock extends FrameRun {
  readonly recordedAt: number;

  constructor(block: FrameBlock, index: number) {
    super(block, index, index + 1);
    this.recordedAt = block.recordedAt[index] as number;
  }

  get digest(): number {
    return this.block.frame(this.start).frame.digest;
  }

  get receivedAt(): number {
    return this.block.receivedAt(this.start);
  }

  get verdict(): string | null {
    return this.block.verdict(this.start);
  }

  get sensors(): readonly SensorReport[] {
    return this.block.sensors(this.start);
  }

  get driverId(): string | undefined {
    return this.block.driverId(this.start);
  }

  get timeSource(): Frame["time_source"] {
    return this.block.timeSource(this.start);
  }

  get place(): ReportedPlace {
    return this.block.place(this.start);
  }

  stored(): StoredFrame {
    return this.block.frame(this.start);
  }
}

export function framesIn(runs: readonly FoundRun[]): FoundFrame[] {
  return runs.flatMap((run): FoundFrame[] => (run instanceof FrameRun ? run.frames() : [run]));
}
