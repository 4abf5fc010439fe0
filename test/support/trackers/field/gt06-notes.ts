import type { FieldMessage } from "../field-message.ts";

type Meaning = FieldMessage["means"];
type MeantFrame = NonNullable<Meaning["frames"]>[number] & { readonly driver_id?: string | null };

export const traccarTests =
  "https://github.com/traccar/traccar/blob/master/src/test/java/org/traccar/protocol/Gt06ProtocolDecoderTest.java";

export function traccarIssue(number: number): string {
  return `https://github.com/traccar/traccar/issues/${number}`;
}

/** A message without a problem. `reply` is hex. */
export function field(
  [source, model]: readonly [source: string, model: string],
  message: string,
  what: string,
  frames: readonly MeantFrame[],
  reply: string | null,
  more: { readonly before?: readonly string[]; readonly imei?: string } = {},
): FieldMessage {
  const identity = more.imei === undefined ? {} : { identity: { kind: "imei", value: more.imei } as const };
  return {
    source,
    model,
    before: more.before ?? [],
    message,
    means: { what, frames, reply, problem: null, ...identity },
  };
}

/** A fix: time, latitude, longitude, speed, heading, and whatever else the message says. */
export function place(
  recordedAt: string,
  [latitude, longitude, speed_kmh, heading_deg]: readonly [number, number, number | null, number],
  rest: MeantFrame = {},
): MeantFrame {
  return { recordedAt, fix: true, latitude, longitude, speed_kmh, heading_deg, source: null, ...rest };
}

/** A time without a place. */
export function noPlace(recordedAt: string, rest: MeantFrame = {}): MeantFrame {
  return { recordedAt, fix: false, latitude: null, longitude: null, source: null, ...rest };
}

/** A message without a time: it holds when it comes, which is `receivedAt` in these tests. */
export function now(rest: MeantFrame): MeantFrame {
  return { recordedAt: "2026-11-17T12:00:00Z", latitude: null, longitude: null, ...rest };
}
