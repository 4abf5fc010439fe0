import { describe, expect, test } from "bun:test";
import { readBrokerMessage } from "../../src/intake/mqtt/broker-message.ts";
import { readBrokerAddress, readTopicFilters } from "../../src/intake/mqtt/broker-settings.ts";
import { type Delivery, Inbox } from "../../src/intake/mqtt/inbox.ts";
import { RefusalReports } from "../../src/intake/mqtt/refusal-reports.ts";
import type { Observation } from "../../src/observe/observation.ts";

const now = Date.UTC(2026, 2, 14, 8);
const imei = "356307042441013";
const frame = { imei, recorded_at: "2026-03-14T07:59:00Z", latitude: 52.5, longitude: 13.4 };
const position = { fixTime: "2026-03-14T07:59:00Z", latitude: 52.5, longitude: 13.4, valid: true };

function read(payload: unknown, topic = "odograph/gateway/frames") {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return readBrokerMessage(topic, Buffer.from(text), now);
}

describe("a message of a broker", () => {
  const place = expect.objectContaining({ imei, recordedAt: Date.UTC(2026, 2, 14, 7, 59), latitude: 52.5 });

  test("is a frame, an array of frames or a frame a line", () => {
    expect(read(frame)).toEqual([place]);
    expect(read([frame, frame])).toEqual([place, place]);
    expect(read(`${JSON.stringify(frame)}\n${JSON.stringify(frame)}\n`)).toEqual([place, place]);
  });

  test("shows by its content, whatever the topic", () => {
    const owntracks = { _type: "location", tst: Date.UTC(2026, 2, 14, 7, 59) / 1000, lat: 52.5, lon: 13.4 };
    expect(read(owntracks, `owntracks/ana/${imei}`)).toEqual([place]);
    expect(read({ ...owntracks, imei }, "fleet/x")).toEqual([place]);
    expect(read({ position, device: { uniqueId: imei } })).toEqual([place]);
    expect(read([{ position, device: { uniqueId: imei } }])).toEqual([place]);
    const alarm = { event: { type: "alarm", attributes: { alarm: "sos" } }, position, device: { uniqueId: imei } };
    expect(read(alarm)).toEqual([expect.objectContaining({ imei, event: "sos" })]);
    expect(read({ ...frame, event: "sos" })).toEqual([expect.objectContaining({ imei, event: "sos" })]);
  });

  test("that holds no frame is nothing to complain of", () => {
    expect(read("")).toEqual([null]);
    expect(read({ _type: "lwt", tst: 1 }, `owntracks/ana/${imei}`)).toEqual([null]);
    expect(read({ event: { type: "deviceOnline" }, device: { uniqueId: imei } })).toEqual([null]);
  });

  test("that cannot be read is refused as one, with the reason, and never throws", () => {
    const refused = [
      "not json",
      "[1",
      "7",
      "null",
      '"text"',
      "[[]]",
      "{}",
      "\u0000",
      '{"_type":"location"}',
      '{"position":{}}',
    ];
    for (const payload of refused) expect([payload, read(payload)]).toEqual([payload, [expect.any(String)]]);
    expect(readBrokerMessage("t", Buffer.from([0xff, 0xfe]), now)).toEqual(["the body is not UTF-8"]);
    expect(readBrokerMessage("t", Buffer.alloc(16 * 1024 * 1024 + 1, " "), now)).toEqual([
      "expected a message of at most 16777216 bytes",
    ]);
    expect(read([frame, { ...frame, imei: 7 }])).toEqual([place, expect.stringContaining("imei: expected")]);
  });
});

describe("a topic that names a device", () => {
  const other = "356307042441021";
  const tst = Date.UTC(2026, 2, 14, 7, 59) / 1000;
  const location = { _type: "location", tst, lat: 52.5, lon: 13.4 };
  const own = expect.objectContaining({ imei, latitude: 52.5 });
  const mismatch = `imei: the topic names ${imei}, the message ${other}`;
  const alarm = { type: "alarm", attributes: { alarm: "sos" } };

  test.each<[string, object]>([
    ["our own frame", { ...frame, imei: other }],
    ["Traccar's position", { position, device: { uniqueId: other } }],
    ["Traccar's event", { event: alarm, position, device: { uniqueId: other } }],
    ["OwnTracks with an imei", { ...location, imei: other }],
    ["OwnTracks with a topic", { ...location, topic: `owntracks/bob/${other}` }],
  ])("refuses a body that names another: %s", (_, body) => {
    for (const topic of [`owntracks/ana/${imei}`, `fleet/${imei}/frames`, imei, `a/ ${imei} /b/c`]) {
      expect(read(body, topic)).toEqual([expect.stringMatching(new RegExp(`${imei}.*${other}|${other}.*${imei}`))]);
    }
    // A gateway's topic names none.
    expect(read(body, "fleet/gateway/frames")).toEqual([expect.objectContaining({ imei: other })]);
  });

  test("refuses only the frames of other devices", () => {
    const mixed = [frame, { ...frame, imei: other }, { ...frame, imei }];
    const lines = mixed.map((one) => JSON.stringify(one)).join("\n");
    expect(read(mixed, `fleet/${imei}/frames`)).toEqual([own, mismatch, own]);
    expect(read(lines, `fleet/${imei}/frames`)).toEqual([own, mismatch, own]);
    const positions = [imei, other].map((uniqueId) => ({ position, device: { uniqueId } }));
    expect(read(positions, `fleet/${imei}/frames`)).toEqual([own, mismatch]);
  });

  test("is the device of a body that names none, wherever it stands", () => {
    expect(read(location, `owntracks/ana/${imei}/event`)).toEqual([own]);
    expect(read({ ...location, tid: "AB", topic: "owntracks/ana/phone" }, `owntracks/ana/${imei}`)).toEqual([own]);
    const { imei: _, ...unnamed } = frame;
    expect(read([unnamed, frame], `fleet/${imei}/frames`)).toEqual([own, own]);
    expect(read(unnamed, `fleet/${imei}/frames`)).toEqual([own]);
    expect(read(unnamed, "fleet/gateway/frames")).toEqual([expect.stringContaining("imei: expected")]);
    // Not all that is sent there is a frame.
    expect(read({ uptime_s: 7 }, `fleet/${imei}/status`)).toEqual([expect.stringContaining("imei: expected")]);
  });

  test("that names two is valid for neither", () => {
    const topic = `owntracks/${imei}/${other}`;
    for (const named of [imei, other]) {
      const reason = `imei: the topic names ${imei} and ${other}, the message ${named}`;
      expect(read({ ...frame, imei: named }, topic)).toEqual([reason]);
      expect(read({ ...location, imei: named }, topic)).toEqual([expect.any(String)]);
    }
    expect(read(location, topic)).toEqual([expect.any(String)]);
    expect(read(frame, `${imei}/x/${imei}`)).toEqual([own]);
  });
});

describe("the address of a broker", () => {
  test("has a usual port, and a name and a password that may be encoded", () => {
    const nobody = { username: null, password: null };
    expect(readBrokerAddress("mqtt://broker")).toEqual({ protocol: "mqtt", host: "broker", port: 1883, ...nobody });
    expect(readBrokerAddress("mqtts://broker/")).toEqual({ protocol: "mqtts", host: "broker", port: 8883, ...nobody });
    expect(readBrokerAddress("mqtt://[::1]:1884")).toEqual({ protocol: "mqtt", host: "::1", port: 1884, ...nobody });
    expect(readBrokerAddress("mqtts://fle%40et:p%2Fss@b:1")).toEqual({
      protocol: "mqtts",
      host: "b",
      port: 1,
      username: "fle@et",
      password: "p/ss",
    });
  });

  test("is nothing else", () => {
    const wrong = ["broker", "broker:1883", "http://broker", "ws://broker", "mqtt://", "mqtt://:1883", "mqtt://b:0"];
    const odd = ["mqtt://b:70000", "mqtt://b/topic", "mqtt://b?clientId=x", "mqtt://b#x", "mqtt://u:%zz@b", ""];
    for (const text of [...wrong, ...odd]) expect([text, readBrokerAddress(text)]).toEqual([text, null]);
  });
});

test("topic filters are those of the standard, with commas between them", () => {
  expect(readTopicFilters("a/+/c, #,a/+/c,$share/odograph/a/#,+,/,a//b")).toEqual([
    "a/+/c",
    "#",
    "$share/odograph/a/#",
    "+",
    "/",
    "a//b",
  ]);
  for (const text of ["", "a,", "a/#/b", "a#", "a/b+", "$share/x", "$share//a", "$share/+/a", "$share/x/", "a\0b"]) {
    expect([text, readTopicFilters(text)]).toEqual([text, null]);
  }
  expect(readTopicFilters("a".repeat(65_536))).toBeNull();
});

describe("the inbox", () => {
  function delivery(bytes = 1): Delivery {
    return { topic: "t", payload: new Uint8Array(bytes), receivedAt: now, acknowledge: () => {} };
  }

  test("has the connection wait when it is full, until there is room again", async () => {
    for (const [count, bytes] of [
      [1_000, 1],
      [2, 8 * 1024 * 1024],
    ] as const) {
      const inbox = new Inbox();
      let read = 0;
      for (let index = 0; index < count; index++) inbox.put(delivery(bytes), () => read++);
      expect(read).toBe(count - 1);
      const taken = (await inbox.take()) ?? [];
      expect([taken.length, read]).toEqual([count, count - 1]);
      inbox.release(taken);
      expect(read).toBe(count);
    }
  });

  test("gives together what came while nobody took", async () => {
    const inbox = new Inbox();
    const first = inbox.take();
    inbox.put(delivery(), () => {});
    expect(await first).toHaveLength(1);
    for (let index = 0; index < 3; index++) inbox.put(delivery(), () => {});
    expect(await inbox.take()).toHaveLength(3);
  });

  test("gives what it has when it is drained, and nothing when it is closed", async () => {
    for (const [end, left] of [
      ["drain", 1],
      ["close", undefined],
    ] as const) {
      const inbox = new Inbox();
      inbox.put(delivery(), () => {});
      inbox[end]();
      let isRead = false;
      inbox.put(delivery(), () => {
        isRead = true;
      });
      expect([isRead, (await inbox.take())?.length]).toEqual([true, left]);
      expect(await inbox.take()).toBeNull();
    }
  });
});

test("of refused frames the first is reported at once, and then no more than once a minute", () => {
  const seen: Observation[] = [];
  const reports = new RefusalReports((observation) => seen.push(observation));
  const refusal = { topic: "t", imei, reason: "unknown_device" };
  for (let second = 0; second <= 120; second++) reports.add([refusal], now + second * 1_000);
  reports.add([], now + 200_000);
  reports.add([refusal], now + 200_001);
  reports.add([refusal], now + 200_002);
  reports.report(now + 200_003);
  reports.report(now + 200_004);
  const reported = (frames: number): Observation => ({ kind: "broker_frames_refused", frames, ...refusal });
  expect(seen).toEqual([reported(1), reported(60), reported(60), reported(1), reported(1)]);
});
