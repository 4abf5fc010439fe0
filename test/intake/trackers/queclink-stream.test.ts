import { expect, test } from "bun:test";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { queclink } from "../../../src/intake/trackers/queclink/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { eventReport, queclinkSample as here, vehicleReport } from "../../support/trackers/queclink-encoder.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";

const { at } = here;
const envelope = { type: "SOS", version: "060228", id: "862894020180553", sentAt: at, count: 0x11f0 };

const field = fieldMessages("queclink").map((entry) => new Uint8Array(Buffer.from(entry.message, "latin1")));
testStreamRules(queclink, [
  ...field,
  vehicleReport({
    ...envelope,
    type: "FRI",
    supplyMv: 12_000,
    code: "10",
    positions: [here],
    mileageKm: 1,
    batteryPercent: 9,
    state: "21",
  }),
]);

const sos = eventReport(envelope, ["", "00", "1"], here);

test("noise is passed over to the next message", () => {
  for (const noise of ["+", "+RESP:GX", "+RESPECT", "garbage+", "+SACK:11F0$"]) {
    const bytes = Buffer.concat([Buffer.from(noise, "latin1"), sos]);
    let from = 0;
    for (let cut = queclink.cut(bytes); cut.kind === "noise"; cut = queclink.cut(bytes.subarray(from)))
      from += cut.length;
    expect(from).toBe(noise.length);
  }
});

test("a message whose end was lost ends where the next begins", () => {
  const lost = sos.subarray(0, 60);
  expect(queclink.cut(Buffer.concat([lost, sos]))).toEqual({ kind: "message", length: 60 });
});

test("a message without an end is noise once it is too long, and so is a binary one with a length that cannot be", () => {
  const endless = Buffer.from(`+RESP:GTFRI,${"1,".repeat(3_000)}`, "latin1");
  expect(queclink.cut(endless.subarray(0, queclink.maxMessageBytes - 5)).kind).toBe("incomplete");
  expect(queclink.cut(endless.subarray(0, queclink.maxMessageBytes)).kind).toBe("noise");
  expect(queclink.cut(Uint8Array.of(0x2b, 0, 0xff, 0xff, 1)).kind).toBe("noise");
  expect(queclink.cut(Uint8Array.of(0x2b, 0, 0, 3, 1)).kind).toBe("noise");
});

test("line ends between messages are no noise, whatever pieces they come in", () => {
  const line = Buffer.concat([sos, Buffer.from("\r\n")]);
  const stream = new MessageStream(queclink);
  const messages = [line, line, Buffer.from("\r"), Buffer.from("\n"), sos].flatMap((piece) => [...stream.push(piece)]);
  expect(messages.length).toBe(3);
  expect(stream.noiseBytes).toBe(0);
  for (const bytes of messages) expect(queclink.decode(bytes, queclink.begin(), at).problem).toBeNull();
});

test("a zero byte ends a message, too", () => {
  const zero = Uint8Array.from(sos);
  zero[zero.length - 1] = 0;
  expect(queclink.cut(zero)).toEqual({ kind: "message", length: zero.length });
  expect(queclink.decode(zero, queclink.begin(), at).frames).toEqual(queclink.decode(sos, queclink.begin(), at).frames);
});

test("binary reports of the second generation, live, stored and heartbeats", () => {
  const report =
    "2b000038000865134050947226820300030000216a3ed6f101895000521629fa8b28f402ac1a8e6a3ed6f100001600000010f505010ff824";
  const heartbeat = "2b1018012345678901234580010007005e362f5a10f21424";
  for (const hex of [report, `2d${report.slice(2)}`, heartbeat]) {
    const bytes = Buffer.concat([Buffer.from(hex, "hex"), sos]);
    expect(queclink.cut(bytes)).toEqual({ kind: "message", length: hex.length / 2 });
    const { problem, identity, reply } = queclink.decode(bytes.subarray(0, hex.length / 2), queclink.begin(), at);
    expect({ problem, identity: identity?.kind, reply }).toEqual({ problem: null, identity: "imei", reply: null });
  }
});

test("binary reports", () => {
  const crashed = "2b4556540c00fc1fbf005c4501010108563254030003430564312a41090100000000003f007dff75a11a025c6a78";
  const binary = Buffer.from(
    `${crashed}07e1070a14041202680003189c1ac500000000000000000000000000000000000007e1070b041134054e5c6e0d0a`,
    "hex",
  );
  expect(queclink.cut(binary)).toEqual({ kind: "message", length: binary.length });
  const { problem, reply, unread } = queclink.decode(binary, queclink.begin(), at);
  expect([problem, reply]).toEqual([null, null]);
  expect(unread).toContain("event 12");
  const information = Buffer.from("2b494e4601fd7f0010303000004500450d0a", "hex");
  information[8] = information.length;
  expect(queclink.decode(information, queclink.begin(), at).problem).toEqual({
    ...{ kind: "unknown_message", detail: "binary report +INF: set the tracker to send text" },
  });
});
