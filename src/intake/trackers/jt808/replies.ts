import { bcdOf } from "./bcd.ts";
import { wrap } from "./framer.ts";
import { isPadlock, type Jt808Message, jt808Identity } from "./message.ts";

/** What a general answer says. */
export const succeeded = 0;
export const notSupported = 3;

/** Messages that are not answered by the general answer. */
const received = { answer: 0x0001, timeRequest: 0x0004, registration: 0x0100, clockRequest: 0x0109 } as const;

const sentByPlatform = {
  general: 0x8001,
  missingParts: 0x8003,
  time: 0x8004,
  register: 0x8100,
  clock: 0x8109,
  padlock: 0x4401,
} as const;

/** The header of the terminal's own edition and its number, so that it takes the reply for its own. */
function reply(to: Jt808Message, type: number, serial: number, body: readonly number[]): Uint8Array {
  const versionFlag = to.version === null ? 0 : 0x4000;
  return wrap([
    ...word(type),
    ...word(body.length | versionFlag),
    ...(to.version === null ? [] : [to.version]),
    ...to.id,
    ...(isPadlock(to.type) ? [serial & 0xff] : word(serial)),
    ...body,
  ]);
}

/** `answered`: the serial number that is answered, if it is not that of the message itself but of an earlier part. */
export function generalReply(to: Jt808Message, serial: number, result: number, answered = to.serial): Uint8Array {
  if (isPadlock(to.type)) return reply(to, sentByPlatform.padlock, serial, [...word(to.type), result]);
  return reply(to, sentByPlatform.general, serial, [...word(answered), ...word(to.type), result]);
}

/** Its own flag says whether a padlock wants an answer. */
function wantsReply({ type, attributes }: Jt808Message): boolean {
  return isPadlock(type) ? (attributes & 0x8000) !== 0 : type !== received.answer;
}

/** What a message wants as an answer, once it is stored. `serials`: of all its parts; each has an answer. */
export function jt808Reply(
  to: Jt808Message,
  serial: number,
  now: number,
  serials: readonly number[],
): readonly Uint8Array[] {
  if (!wantsReply(to)) return [];
  if (to.type === received.registration) return [registerReply(to, serial)];
  if (to.type === received.timeRequest) return [timeReply(to, serial, now)];
  if (to.type === received.clockRequest) return [clockReply(to, serial, now)];
  return serials.map((answered, index) => generalReply(to, (serial + index) & 0xffff, succeeded, answered));
}

/** The code is what the terminal sends back to authenticate itself. It proves nothing: anyone who knows the number can register. */
function registerReply(to: Jt808Message, serial: number): Uint8Array {
  const code = jt808Identity(to.id)?.value ?? "0";
  return reply(to, sentByPlatform.register, serial, [...word(to.serial), succeeded, ...Buffer.from(code, "latin1")]);
}

/** Asks for parts that did not come, by the serial number of the first part. */
export function missingPartsReply(
  to: Jt808Message,
  serial: number,
  first: number,
  parts: readonly number[],
): Uint8Array {
  // The count has two bytes since 2019.
  const count = to.version === null ? [parts.length] : word(parts.length);
  return reply(to, sentByPlatform.missingParts, serial, [...word(first), ...count, ...parts.flatMap(word)]);
}

/** The time that the edition of 2019 asks for: six pairs of digits, UTC. */
function timeReply(to: Jt808Message, serial: number, now: number): Uint8Array {
  const at = new Date(now);
  const pairs = [at.getUTCFullYear() % 100, at.getUTCMonth() + 1, at.getUTCDate(), ...timeOfDay(at)];
  return reply(to, sentByPlatform.time, serial, pairs.map(bcdOf));
}

/** The time that locators ask for with 0x0109: numbers, UTC, and a result. */
function clockReply(to: Jt808Message, serial: number, now: number): Uint8Array {
  const at = new Date(now);
  const date = [...word(at.getUTCFullYear()), at.getUTCMonth() + 1, at.getUTCDate()];
  return reply(to, sentByPlatform.clock, serial, [...date, ...timeOfDay(at), succeeded]);
}

function timeOfDay(at: Date): readonly number[] {
  return [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
}

function word(value: number): readonly number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}
