import { describe, expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { MessageLog } from "../../../src/intake/trackers/connection/message-log.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { TrackerDirectory } from "../../../src/intake/trackers/gate/directory.ts";
import { readNetworks } from "../../../src/intake/trackers/gate/networks.ts";
import { readProxyHeader } from "../../../src/intake/trackers/sockets/proxy-header.ts";
import { readTrackerPorts } from "../../../src/intake/trackers/tracker-settings.ts";
import { toyFamily } from "../../support/trackers/toy-family.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

test("every family keeps the name and a port of its own", () => {
  expect(Object.entries(families).map(([name, family]) => [name, family.name])).toEqual(
    trackerProtocols.map((name) => [name, name]),
  );
  const ports = Object.values(families).map(({ port }) => port);
  expect(new Set(ports).size).toBe(ports.length);
  expect(families).toMatchObject({
    gps103: { port: 5001 },
    tk103: { port: 5002 },
    queclink: { port: 5004 },
    h02: { port: 5013 },
  });
  expect(families).toMatchObject({ jt808: { port: 5015 }, gt06: { port: 5023 }, teltonika: { port: 5027 } });
});

test("families are chosen by name, with a port or without", () => {
  expect(readTrackerPorts("gt06, Teltonika=5027,h02=0")).toEqual([
    { name: "gt06", port: null },
    { name: "teltonika", port: 5027 },
    { name: "h02", port: 0 },
  ]);
  for (const wrong of ["", "gt06,", "gt07", "gt06=65536", "gt06=x", "gt06=1=2", "gt06,gt06=5", "gt06=-1"]) {
    expect([wrong, readTrackerPorts(wrong)]).toEqual([wrong, null]);
  }
});

test("networks are written as usual, and addresses of both kinds are found in them", () => {
  const networks = readNetworks("10.0.0.0/8, 192.0.2.7,2001:db8::/32");
  for (const address of ["10.255.1.2", "::ffff:10.1.1.1", "192.0.2.7", "2001:db8:1::5"]) {
    expect([address, networks?.has(address)]).toEqual([address, true]);
  }
  for (const address of ["11.0.0.1", "192.0.2.8", "2001:db9::1", "nonsense", ""]) {
    expect([address, networks?.has(address)]).toEqual([address, false]);
  }
  for (const wrong of ["", "10.0.0.0/33", "10.0.0/8", "2001:db8::/129", "10.0.0.0/8/8", "10.0.0.0/", "a,b"]) {
    expect([wrong, readNetworks(wrong)]).toEqual([wrong, null]);
  }
});

describe("what a balancer says", () => {
  const version2 = (command: number, family: number, ...addresses: number[]) =>
    Uint8Array.of(13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10, command, family, 0, addresses.length, ...addresses);
  const ipv4 = [192, 0, 2, 7, 127, 0, 0, 1, 21, 236, 19, 159];
  const ipv6 = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, ...Array(16).fill(0), 1, 2, 3, 4];

  test("is where the tracker is", () => {
    const line = "PROXY TCP4 192.0.2.7 127.0.0.1 5612 5023\r\n";
    expect(readProxyHeader(bytes(`${line}xx`))).toEqual({ kind: "header", length: line.length, address: "192.0.2.7" });
    const six = "PROXY TCP6 2001:db8::9 ::1 5612 5023\r\n";
    expect(readProxyHeader(bytes(six))).toEqual({ kind: "header", length: six.length, address: "2001:db8::9" });
    expect(readProxyHeader(version2(0x21, 0x11, ...ipv4))).toEqual({
      kind: "header",
      length: 28,
      address: "192.0.2.7",
    });
    const wide = readProxyHeader(version2(0x21, 0x21, ...ipv6));
    expect(wide).toEqual({ kind: "header", length: 52, address: "2001:db8:0:0:0:0:0:9" });
  });

  test("may be about itself", () => {
    expect(readProxyHeader(bytes("PROXY UNKNOWN\r\n"))).toEqual({ kind: "header", length: 15, address: null });
    expect(readProxyHeader(version2(0x20, 0))).toEqual({ kind: "header", length: 16, address: null });
    expect(readProxyHeader(version2(0x21, 0x31, ...ipv4))).toMatchObject({ kind: "header", address: null });
  });

  test("comes in pieces", () => {
    const whole = version2(0x21, 0x11, ...ipv4);
    for (let length = 0; length < whole.length; length++) {
      expect([length, readProxyHeader(whole.subarray(0, length)).kind]).toEqual([length, "incomplete"]);
    }
    const line = bytes("PROXY TCP4 192.0.2.7 127.0.0.1 5612 5023\r\n");
    for (let length = 0; length < line.length; length++)
      expect(readProxyHeader(line.subarray(0, length)).kind).toBe("incomplete");
  });

  test("is refused if it is nothing of the kind", () => {
    for (const wrong of [
      "login",
      "PROXY TCP4 1.2.3.4\r\n",
      "PROXY TCP9 a b 1 2\r\n",
      "PROXY TCP4 999.1.1.1 b 1 2\r\n",
      `PROXY ${"x".repeat(120)}`,
    ]) {
      expect([wrong, readProxyHeader(bytes(wrong)).kind]).toEqual([wrong, "wrong"]);
    }
    expect(readProxyHeader(version2(0x31, 0x11, ...ipv4)).kind).toBe("wrong");
    expect(readProxyHeader(version2(0x22, 0x11, ...ipv4)).kind).toBe("wrong");
  });
});

test("trackers that ask at the same time share a look-up, and what is known is asked again after some seconds", async () => {
  const asked: string[][] = [];
  const clock = { now: 0 };
  const lookUp = async (identities: ReadonlySet<string>) => {
    asked.push([...identities]);
    return new Map([["1", { imei: "1", accountId: 1, protocol: null, model: null }]]);
  };
  const directory = new TrackerDirectory(lookUp, () => clock.now);
  const found = await Promise.all([directory.find("1"), directory.find("2"), directory.find("1")]);
  expect(found.map((device) => device?.imei ?? null)).toEqual(["1", null, "1"]);
  expect(asked).toEqual([["1", "2"]]);
  expect([directory.known("1")?.imei, directory.known("2"), directory.known("3")]).toEqual(["1", null, undefined]);
  directory.forgetStrangers();
  expect([directory.known("1")?.imei, directory.known("2")]).toEqual(["1", undefined]);
  clock.now = 5_000;
  expect(directory.known("1")).toBeUndefined();
  await directory.find("1");
  expect(asked.length).toBe(2);
});

test("a look-up that fails is not remembered", async () => {
  let isBroken = true;
  const directory = new TrackerDirectory(async () => {
    if (isBroken) throw new Error("gone");
    return new Map();
  });
  await expect(directory.find("1")).rejects.toThrow("gone");
  isBroken = false;
  expect(await directory.find("1")).toBeNull();
});

test("the last 50 messages of a tracker are kept, and the beginning of very long ones", () => {
  const log = new MessageLog();
  const message = { accountId: 1, receivedAt: 0, family: toyFamily, session: null, outcome: "stored" } as const;
  for (let number = 0; number < 120; number++) log.add("a", { ...message, bytes: bytes(`${number}`) });
  log.add("b", { ...message, bytes: new Uint8Array(5_000) });
  const kept = log.of("a").map((one) => Buffer.from(one.bytes).toString());
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, "70", "119"]);
  expect(log.of("a", log.of("a")[48]?.number).length).toBe(1);
  expect(log.of("b").map(({ bytes: kept, length }) => [kept.length < 5_000, length])).toEqual([[true, 5_000]]);
});
