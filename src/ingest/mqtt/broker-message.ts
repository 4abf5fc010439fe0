import { Failure } from "../../domain/errors.ts";
import { isObject } from "../formats/foreign.ts";
import { readOwnTracks } from "../formats/owntracks.ts";
import { readTraccarEvent, readTraccarPosition } from "../formats/traccar.ts";
import { type MessagePart, partsOf } from "../messages.ts";
import { maxBodyBytes } from "../port.ts";
import { readFrameBody, readJsonBody } from "../read-frames.ts";

/**
 * The frames of a message from a broker. Its content tells what it is, whatever the topic: OwnTracks' has a `_type`,
 * Traccar's has an object `position` or `event`, and all else is taken for our own frames. A message that cannot be read
 * is one part that is refused; it never throws.
 */
export function readBrokerMessage(topic: string, payload: Uint8Array, now: number): readonly MessagePart[] {
  // How a retained message is cleared.
  if (payload.length === 0) return [null];
  if (payload.length > maxBodyBytes) return [`expected a message of at most ${maxBodyBytes} bytes`];
  try {
    return readForeign(topic, payload, now) ?? readFrameBody(payload, null, now);
  } catch (error) {
    // Whatever it is, it is the same each time: a message that nobody can read must not come again for ever.
    return [error instanceof Failure ? error.message : "the message cannot be read"];
  }
}

/** Null if it is not one of the others' shapes. */
function readForeign(topic: string, payload: Uint8Array, now: number): readonly MessagePart[] | null {
  const body = wholeJson(payload);
  const sample = Array.isArray(body) ? body[0] : body;
  if (!isObject(sample)) return null;
  // The last part of the topic is the device.
  if (typeof sample._type === "string") return partsOf(readOwnTracks(body, topic, now));
  if (isObject(sample.event)) return readTraccarEvent(body, now).flatMap(partsOf);
  if (isObject(sample.position)) return readTraccarPosition(body, now).flatMap(partsOf);
  return null;
}

/** Undefined if it is not one JSON value: it may be one a line. */
function wholeJson(payload: Uint8Array): unknown {
  try {
    return readJsonBody(payload);
  } catch {
    return undefined;
  }
}
