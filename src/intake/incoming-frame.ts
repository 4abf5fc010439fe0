import type { Frame } from "../domain/frame.ts";

/** A frame as received: decoded and within bounds, its device not looked up, its time not judged. */
export interface IncomingFrame extends Omit<Frame, "recordedAt" | "digest"> {
  readonly imei: string;
  /** As sent. Null: the tracker sent no time, so the frame is stored but has no place in the order. */
  readonly recordedAt: number | null;
  /**
   * Of an alarm whose time is that of its receipt: a hash of the message. A tracker that has no answer sends the same bytes again,
   * and that is the same alarm.
   */
  readonly alarmBytes?: number | undefined;
}

export type FormatResult =
  /** Several if the message has several events: a frame holds one. */
  | { readonly kind: "frames"; readonly frames: readonly IncomingFrame[] }
  /** Understood, and not about a position or a sensor. The sender did nothing wrong. */
  | { readonly kind: "nothing"; readonly why: string }
  | { readonly kind: "refused"; readonly reason: string };

/** What one of our own exports says of a frame besides its values. */
export interface ExportedAs {
  /** The time under which it is stored. */
  readonly recordedAt: number;
  readonly rejectReason: string | undefined;
  /** Whether a frame without a driver had none: not all exports have drivers. */
  readonly hasDrivers: boolean;
}

/** One point or row of an imported track. Lines are counted from 1. */
export type ImportedPoint =
  | { readonly line: number; readonly frame: IncomingFrame; readonly exported?: ExportedAs }
  | { readonly line: number; readonly reason: string };
