import { describe, expect, test } from "bun:test";
import { clientAddress } from "../../src/access/address-meter.ts";
import { Attempts } from "../../src/access/attempts.ts";

const now = Date.UTC(2026, 5, 15, 12);
const minuteMs = 60_000;

describe("attempts to give a password", () => {
  const taken = (attempts: Attempts, count: number, email: (n: number) => string, address: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => attempts.take({ email: email(n), address: address(n) }, now).waitMs);

  /** All that there are for this e-mail. */
  const useUp = (attempts: Attempts) =>
    taken(
      attempts,
      10,
      () => "a@b.example",
      (n) => `192.0.2.${n}`,
    );

  test("are ten for an e-mail, in whatever case it is written, then one a minute", () => {
    const attempts = new Attempts();
    const waits = taken(
      attempts,
      11,
      (n) => (n % 2 ? "a@b.example" : " A@B.example "),
      (n) => `192.0.2.${n}`,
    );
    expect(waits).toEqual([...Array(10).fill(0), minuteMs]);
    expect(attempts.take({ email: "a@b.example", address: "::1" }, now + minuteMs - 1).waitMs).toBe(1);
    expect(attempts.take({ email: "a@b.example", address: "::1" }, now + minuteMs).waitMs).toBe(0);
    expect(attempts.take({ email: "a@b.example", address: "::1" }, now + minuteMs).waitMs).toBe(minuteMs);
    // Never more than ten are saved up.
    const later = now + 1000 * minuteMs;
    const saved = Array.from(
      { length: 11 },
      () => attempts.take({ email: "a@b.example", address: "::1" }, later).waitMs,
    );
    expect(saved).toEqual([...Array(10).fill(0), minuteMs]);
  });

  test("are thirty for an address, for IPv6 a whole network, then one in ten seconds", () => {
    const attempts = new Attempts();
    const waits = taken(
      attempts,
      31,
      (n) => `${n}@b.example`,
      (n) => `2001:db8::${n.toString(16)}`,
    );
    expect(waits).toEqual([...Array(30).fill(0), 10_000]);
    expect(attempts.take({ email: "x@b.example", address: "2001:db8:0:1::1" }, now).waitMs).toBe(0);
  });

  test("that are refused take nothing of the other allowance, and those given back count no more", () => {
    const attempts = new Attempts();
    useUp(attempts);
    taken(
      attempts,
      100,
      () => "a@b.example",
      () => "203.0.113.1",
    );
    expect(
      taken(
        attempts,
        31,
        (n) => `${n}@b.example`,
        () => "203.0.113.1",
      ).filter((wait) => wait > 0).length,
    ).toBe(1);
    attempts.refund({ email: "a@b.example", address: "192.0.2.0" }, now);
    expect(attempts.take({ email: "a@b.example", address: "192.0.2.0" }, now).waitMs).toBe(0);
  });

  test("are neither lost nor won by a clock that is set back", () => {
    const attempts = new Attempts();
    useUp(attempts);
    expect(attempts.take({ email: "a@b.example", address: "::1" }, now - 60 * minuteMs).waitMs).toBe(minuteMs);
    expect(attempts.take({ email: "a@b.example", address: "::1" }, now - 59 * minuteMs).waitMs).toBe(0);
  });

  test("are not forgotten because of attempts that are refused, however many", () => {
    const attempts = new Attempts();
    const waitMs = (email: string, address: string) => attempts.take({ email, address }, now).waitMs;
    for (let n = 0; n < 10; n++) waitMs("owner@b.example", `192.0.2.${n}`);
    for (let n = 0; n < 30; n++) waitMs(`first${n}@b.example`, "198.51.100.1");
    for (let n = 0; n < 60_000; n++) expect(waitMs(`n${n}@b.example`, "198.51.100.1")).not.toBe(0);
    expect(waitMs("owner@b.example", "203.0.113.1")).toBe(minuteMs);
  });
});

function from(peer: string, forwarded?: string): string {
  return clientAddress(new Headers(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded }), peer);
}

describe("the client's address", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])(
    "is what a proxy on this machine says (%s)",
    (proxy) => {
      expect(from(proxy, "198.51.100.7")).toBe("198.51.100.7");
      expect(from(proxy, "2001:db8::7")).toBe("2001:db8::7");
    },
  );

  test.each(["198.51.100.7", "10.0.0.1", "::2", "2001:db8::1", "::ffff:198.51.100.7", "unknown", "1127.0.0.1"])(
    "is not believed from anybody else (%s)",
    (peer) => {
      expect(from(peer, "203.0.113.9")).toBe(peer);
    },
  );

  test("is the last in the list: what a client sends itself stands before it", () => {
    expect(from("127.0.0.1", "203.0.113.9, 127.0.0.1 ,198.51.100.7 ")).toBe("198.51.100.7");
    const twice = new Headers([
      ["X-Forwarded-For", "203.0.113.9"],
      ["X-Forwarded-For", "198.51.100.7"],
    ]);
    expect(clientAddress(twice, "127.0.0.1")).toBe("198.51.100.7");
  });

  test.each(["", " ", "203.0.113.9,", "unknown", "198.51.100", "198.51.100.7:4711", `fe80::1%${"a".repeat(50)}`])(
    "is the proxy's own where what it tells is no address (%j)",
    (forwarded) => {
      expect(from("127.0.0.1", forwarded)).toBe("127.0.0.1");
    },
  );

  test("is the peer's where no proxy says another", () => {
    expect(from("127.0.0.1")).toBe("127.0.0.1");
    expect(from("198.51.100.7")).toBe("198.51.100.7");
  });
});
