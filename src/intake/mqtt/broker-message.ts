import { Failure } from "../../domain/errors.ts";
import { isImei } from "../../domain/text/identifiers.ts";
import { isObject } from "../../domain/text/raw-object.ts";

import { readOwnTracks } from "../formats/owntracks.ts";
import { readTraccarEvent, readTraccarPosition } from "../formats/traccar.ts";
import { type MessagePart, maxBodyBytes, messagePartsOf } from "../messages.ts";
import { readFrameBody, readJsonBody } from "../read-frames.ts";

/**
 * The frames of a message from a broker. If the topic names a device, all frames must be of that device. The content decides
 * the format, whatever the topic: OwnTracks has a `_type`, Traccar an object `position` or `event`; anything else is read as our
 * own frames. Never throws: a message that cannot be read is one refused part.
 */
export function readBrokerMessage(topic: string, payload: Uint8Array, now: number): readonly MessagePart[] {
  // An empty message clears a retained one.
  if (payload.length === 0) return [null];
  if (payload.length > maxBodyBytes) return [`expected a message of at most ${maxBodyBytes} bytes`];
  const devices = devicesOfTopic(topic);
  const device = devices.length === 1 ? devices[0] : undefined;
  try {
    const parts = readForeign(device ?? topic, payload, now) ?? readFrameBody(payload, null, now, device);
    return devices.length === 0 ? parts : parts.map((part) => ofDevices(part, devices));
  } catch (error) {
    // It would fail the same way each time, and the broker must not send it again for ever.
    return [error instanceof Failure ? error.message : "the message cannot be read"];
  }
}

/**
 * The devices that a topic names: every level that is an IMEI. A broker's rules allow or refuse topics without looking into
 * messages, so the message must not name another device. This also holds for a device that the store does not know: otherwise
 * a publisher of a removed device's topic could send frames for any other device.
 */
function devicesOfTopic(topic: string): readonly string[] {
  return [...new Set(topic.split("/").map((level) => level.trim()))].filter(isImei);
}

/** A topic that names two devices (one as user, one as device) is valid for neither. */
function ofDevices(part: MessagePart, devices: readonly string[]): MessagePart {
  if (part === null || typeof part === "string" || devices.every((device) => device === part.imei)) return part;
  return `imei: the topic names ${devices.slice(0, 2).join(" and ")}, the message ${part.imei}`;
}

/** Null if it is in none of the foreign formats. */
function readForeign(device: string, payload: Uint8Array, now: number): readonly MessagePart[] | null {
  const body = wholeJson(payload);
  const sample = Array.isArray(body) ? body[0] : body;
  if (!isObject(sample)) return null;
  if (typeof sample._type === "string") return messagePartsOf(readOwnTracks(body, [device], now));
  if (isObject(sample.event)) return readTraccarEvent(body, now).flatMap(messagePartsOf);
  if (isObject(sample.position)) return readTraccarPosition(body, now).flatMap(messagePartsOf);
  return null;
}

/** Undefined if it is not one JSON value: it may have one per line. */
function wholeJson(payload: Uint8Array): unknown {
  try {
    return readJsonBody(payload);
  } catch {
    return undefined;
  }
}
