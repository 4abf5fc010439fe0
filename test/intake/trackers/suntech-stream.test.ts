import { expect, test } from "bun:test";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { suntech } from "../../../src/intake/trackers/suntech/family.ts";
import { fieldMessages } from "../../support/trackers/field/messages.ts";
import { testStreamRules } from "../../support/trackers/stream-rules.ts";

const suntechBytes = fieldMessages("suntech-binary");

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const status = (count: string, end = "\r") =>
  `ST300STT;007238270;40;313;20190220;12:05:04;c99e48;+04.644623;-074.076922;010.390;202.77;20;1;997100;14.10;100000;2;${count}${end}`;
const serial = (data: string, length = data.length) =>
  `ST300UEX;511248287;45;311;20220701;18:42:08;14c943;-22.975257;-043.373065;000.000;000.00;9;1;0;12.14;100010;${length};${data};3E;000135;4.1;1\r`;

testStreamRules(suntech, [
  ...fieldMessages("suntech-text").map(({ message }) => bytes(message)),
  ...suntechBytes.map(({ message }) => new Uint8Array(Buffer.from(message, "hex"))),
]);

function messagesIn(text: string): readonly string[] {
  const stream = new MessageStream(suntech);
  return Array.from(stream.push(bytes(text)), (message) => Buffer.from(message).toString("latin1"));
}

test("a message ends with a carriage return, a line feed or both", () => {
  for (const end of ["\r", "\n", "\r\n"]) {
    const sent = [status("0001", end), status("0002", end)];
    expect(messagesIn(sent.join(""))).toEqual(sent);
  }
});

test("the line ends of a serial device are part of its message", () => {
  for (const data of ["RFID:008FB2BEBA39\r\n", "\r\r\n", "a;b;c\r", "ST300"])
    expect(messagesIn(serial(data) + status("0001"))).toEqual([serial(data), status("0001")]);
});

test("a wrong length of serial data costs no message behind it", () => {
  for (const length of [1_024, 1_025, 9_999]) {
    const sent = [serial("abc", length), status("0001"), "ALV;0100850000\r"];
    expect(messagesIn(sent.join(""))).toEqual(sent);
  }
});

test("a message that lost its end is cut where the next begins", () => {
  const lost = status("0001", "").slice(0, -20);
  expect(messagesIn(lost + status("0002"))).toEqual([lost, status("0002")]);
  const { frames, problem, reply } = suntech.decode(bytes(lost), suntech.begin("udp"), 0);
  expect(frames).toMatchObject([{ latitude: 4.644623, longitude: -74.076922, fix: true }]);
  expect(problem).toEqual({ kind: "malformed", detail: "the end of the message is missing" });
  expect(reply).toBeNull();
});

test("noise is passed over to the next message", () => {
  for (const noise of [
    "-Error\r",
    "GET / HTTP/1.1\r\n\r\n",
    "ST",
    "ST3000000000;",
    "\x02\x00\x32nonsense",
    "\x81\xff",
    "XX",
  ])
    expect(messagesIn(noise + status("0001"))).toEqual([status("0001")]);
});

test("nothing is waited for beyond the longest message", () => {
  for (const start of ["ST300STT;", "STT;", serial("abc", 1_024).slice(0, -20)]) {
    const endless = bytes(start.padEnd(suntech.maxMessageBytes, "1"));
    expect(suntech.cut(endless.subarray(0, -1)).kind).toBe("incomplete");
    expect(suntech.cut(endless).kind).not.toBe("incomplete");
  }
});

test("a zip message ends with its mark, or is none", () => {
  const [{ message } = { message: "" }] = suntechBytes;
  const zip = new Uint8Array(Buffer.from(message, "hex"));
  expect(suntech.cut(zip)).toEqual({ kind: "message", length: zip.length });
  expect(suntech.cut(Uint8Array.of(...zip.subarray(0, -1), 4)).kind).toBe("noise");
});

test("a datagram needs no line end", () => {
  const whole = bytes(status("0001"));
  for (const datagram of [whole.subarray(0, -1), whole]) {
    expect([...new MessageStream(suntech).pushDatagram(datagram)]).toEqual([whole]);
  }
});
