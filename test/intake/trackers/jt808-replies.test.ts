import { describe, expect, test } from "bun:test";
import { jt808 } from "../../../src/intake/trackers/jt808/family.ts";
import { receivedAt } from "../../support/trackers/field-message.ts";
import {
  batchBody,
  encodeMessage,
  locationBody,
  type TerminalMessage,
  word,
} from "../../support/trackers/jt808-encoder.ts";

const none = Buffer.alloc(0);
const at = Date.UTC(2026, 4, 6, 7, 8, 9);
const located = locationBody({ at, latitude: 48.2, longitude: 16.3 });
type Session = ReturnType<typeof jt808.begin>;

const hex = (bytes: Uint8Array | null | undefined) => (bytes ? Buffer.from(bytes).toString("hex") : bytes);
const decode = (message: TerminalMessage, session: Session = jt808.begin()) =>
  jt808.decode(encodeMessage(message), session, receivedAt);
/** A message of the platform, written like one of a terminal. */
const platform = (type: number, serial: number, body: Buffer | readonly number[], version?: number) =>
  hex(encodeMessage({ type, serial, body: Buffer.from(body), ...(version === undefined ? {} : { version }) }));
const general = (serial: number, answered: number, type: number, result = 0, version?: number) =>
  platform(0x8001, serial, Buffer.concat([word(answered), word(type), Buffer.from([result])]), version);

describe("a registration", () => {
  const registration = { type: 0x0100, body: Buffer.alloc(37), serial: 9 };
  const granted = Buffer.concat([word(9), Buffer.from([0]), Buffer.from("13800138000")]);

  test("gets a code, in the edition that was sent", () => {
    expect(hex(decode(registration).reply)).toBe(platform(0x8100, 0, granted));
    expect(hex(decode({ ...registration, version: 1 }).reply)).toBe(platform(0x8100, 0, granted, 1));
  });
});

describe("every other message", () => {
  test("gets the general answer with its serial number", () => {
    for (const type of [0x0002, 0x0003, 0x0102, 0x0104, 0x0107, 0x0506, 0x0801, 0x1007, 0x0abc]) {
      expect(hex(decode({ type, body: none, serial: 77 }).reply)).toBe(general(0, 77, type));
      expect(hex(decode({ type, body: none, serial: 77, version: 1 }).reply)).toBe(general(0, 77, type, 0, 1));
    }
  });

  test("but an answer is not answered", () => {
    const decoded = decode({ type: 0x0001, body: Buffer.alloc(5) });
    expect(decoded.reply).toBeNull();
    expect(decoded.session.serial).toBe(0);
  });

  test("counts the server's serial number up, and over", () => {
    let session = jt808.begin();
    for (const serial of [0, 1, 2]) {
      const decoded = decode({ type: 0x0002, body: none }, session);
      expect(hex(decoded.reply)).toBe(general(serial, 1, 0x0002));
      ({ session } = decoded);
    }
    expect(decode({ type: 0x0002, body: none }, { ...session, serial: 0xffff }).session.serial).toBe(0);
  });
});

describe("a request for the time", () => {
  test("0x0109 gets numbers in UTC", () => {
    const body = Buffer.from([0x07, 0xea, 11, 17, 12, 0, 0, 0]);
    expect(hex(decode({ type: 0x0109, body: none }).reply)).toBe(platform(0x8109, 0, body));
  });

  test("0x0004 gets digits in UTC", () => {
    const body = Buffer.from("261117120000", "hex");
    expect(hex(decode({ type: 0x0004, body: none, version: 1 }).reply)).toBe(platform(0x8004, 0, body, 1));
  });
});

describe("what cannot be read", () => {
  test("an unknown number is named and answered", () => {
    expect(decode({ type: 0x0abc, body: none })).toMatchObject({
      what: "message 0x0abc",
      problem: { kind: "unknown_message", detail: "message 0x0abc" },
    });
  });

  test("media and the like are named and answered", () => {
    expect(decode({ type: 0x0801, body: Buffer.alloc(40) })).toMatchObject({ problem: null, unread: ["media data"] });
    expect(decode({ type: 0x0002, body: Buffer.from([80]) })).toMatchObject({ problem: null, unread: ["heartbeat"] });
  });

  test("an encrypted body is named, and answered as not supported", () => {
    for (const encryption of [1, 2, 4]) {
      const decoded = decode({ type: 0x0200, body: located, encryption });
      expect(decoded.problem).toEqual({ kind: "unknown_message", detail: "the body is encrypted" });
      expect(decoded.frames).toEqual([]);
      expect(hex(decoded.reply)).toBe(general(0, 1, 0x0200, 3));
    }
  });

  test("a location without a time gives no frame and is answered as handled", () => {
    const body = Buffer.from(located);
    body.fill(0, 22, 28);
    const decoded = decode({ type: 0x0200, body });
    expect(decoded.problem?.kind).toBe("no_time");
    expect(decoded.frames).toEqual([]);
    expect(hex(decoded.reply)).toBe(general(0, 1, 0x0200));
  });

  test("a location that is too short is malformed and answered", () => {
    const decoded = decode({ type: 0x0200, body: located.subarray(0, 27) });
    expect(decoded.problem).toEqual({ kind: "malformed", detail: "a location of 27 bytes" });
    expect(hex(decoded.reply)).toBe(general(0, 1, 0x0200));
  });

  test("one wrong location of a batch does not cost the others", () => {
    const timeless = Buffer.from(located);
    timeless.fill(0xff, 22, 28);
    const decoded = decode({ type: 0x0704, body: batchBody([located, timeless, located]) });
    expect(decoded.frames.length).toBe(2);
    expect(decoded.problem?.kind).toBe("no_time");
    const cut = decode({ type: 0x0704, body: batchBody([located, located]).subarray(0, -1) });
    expect(cut.frames.length).toBe(1);
    expect(cut.problem).toEqual({ kind: "malformed", detail: "a cut batch" });
  });
});

describe("a message in parts", () => {
  const whole = batchBody(Array.from({ length: 5 }, (_, index) => located.fill(0x10 + index, 20, 22)));
  const bodies = [whole.subarray(0, 50), whole.subarray(50, 55), whole.subarray(55)];
  const part = (number: number, total = 3, type = 0x0704): TerminalMessage => ({
    type,
    body: bodies[number - 1] ?? none,
    serial: (0xfffe + number) & 0xffff,
    part: { number, total },
  });
  const decodeAll = (...messages: readonly TerminalMessage[]) => {
    let session = jt808.begin();
    return messages.map((message) => {
      const decoded = decode(message, session);
      ({ session } = decoded);
      return decoded;
    });
  };

  test("is put together in any order, and each part is answered with the whole", () => {
    for (const order of [
      [1, 2, 3],
      [2, 1, 3],
      [1, 3, 2],
      [3, 2, 1],
    ]) {
      const decoded = decodeAll(...order.map((number) => part(number)));
      const last = decoded.at(-1);
      expect(last?.frames.length).toBe(5);
      expect(last?.problem).toBeNull();
      expect(last?.session.partial).toBeNull();
      const first = decoded.filter(({ reply }) => reply !== null).length - 1;
      const answers = [0xffff, 0, 1].map((serial, index) => general(first + index, serial, 0x0704));
      expect(hex(last?.reply)).toBe(answers.join(""));
    }
  });

  test("a part that comes again is answered at once, since its sender waits for that", () => {
    const [one, again] = decodeAll(part(1), part(1));
    expect(one?.reply).toBeNull();
    expect(one?.what).toBe("part 1 of 3 of batch of locations 0x0704");
    expect(hex(again?.reply)).toBe(general(0, 0xffff, 0x0704));
  });

  test("missing parts are asked for when the last has come", () => {
    const [, last] = decodeAll(part(1), part(3));
    expect(last?.problem).toEqual({ kind: "missing_part", detail: "missing parts: 2" });
    expect(hex(last?.reply)).toBe(platform(0x8003, 0, [0xff, 0xff, 1, 0, 2]));
    const [last2019] = decodeAll({ ...part(3), version: 1 });
    expect(hex(last2019?.reply)).toBe(platform(0x8003, 0, [0xff, 0xff, 0, 2, 0, 1, 0, 2], 1));
  });

  test("parts are given up after 32 other messages, or for those of another message", () => {
    const heartbeats = Array.from({ length: 33 }, () => ({ type: 0x0002, body: none }));
    const decoded = decodeAll(part(1), ...heartbeats);
    expect(decoded.map(({ problem }) => problem?.kind ?? null).lastIndexOf(null)).toBe(32);
    expect(decoded.at(-1)?.problem?.kind).toBe("missing_part");
    expect(decoded.at(-1)?.session.partial).toBeNull();
    const [, other] = decodeAll(part(1), part(1, 4));
    expect(other?.problem?.kind).toBe("missing_part");
  });

  test("what it holds is bounded: pictures and too many parts are not kept", () => {
    for (const message of [part(1, 3, 0x0801), part(1, 17)]) {
      const [decoded] = decodeAll(message);
      expect(decoded?.session.partial).toBeNull();
      expect(hex(decoded?.reply)).toBe(general(0, 0xffff, message.type));
      expect(decoded?.unread.length).toBe(1);
    }
    expect(decodeAll(part(1, 16))[0]?.session.partial).not.toBeNull();
  });

  test("numbers that cannot be are malformed", () => {
    const wrong = { type: 0x0704, body: none, part: { number: 4, total: 3 } };
    expect(decode(wrong).problem?.kind).toBe("malformed");
    expect(decode({ ...wrong, part: { number: 0, total: 3 } }).problem?.kind).toBe("malformed");
  });
});
