import type { FieldMessage } from "../field-message.ts";

/** A short way to write down what bytes of a Teltonika mean. */

type Meant = NonNullable<FieldMessage["means"]["frames"]>[number] & { readonly driver_id?: string };

/** A record with a position. */
export function at(
  recordedAt: string,
  latitude: number,
  longitude: number,
  speed_kmh: number,
  ignition: boolean | null,
  more: Meant = {},
): Meant {
  return { recordedAt, fix: true, latitude, longitude, speed_kmh, ignition, event: null, ...more };
}

/** A record without a position. */
export function nowhere(recordedAt: string, ignition: boolean | null, more: Meant = {}): Meant {
  return { recordedAt, fix: false, latitude: null, longitude: null, speed_kmh: null, ignition, event: null, ...more };
}

/** Messages of one source: each with its model, the answer that it wants, its bytes and its records. */
export function publishedIn(source: string) {
  return (model: string, reply: string | null, message: string, ...frames: readonly Meant[]): FieldMessage => ({
    source,
    model,
    message,
    means: { reply, problem: null, frames },
  });
}
