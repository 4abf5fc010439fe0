import { describe, expect, test } from "bun:test";
import { clientAddress } from "../../src/access/address-meter.ts";

function from(peer: string, forwarded?: string): string {
  return clientAddress(new Headers(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded }), peer);
}

describe("the client's address", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])(
    "is told by a proxy on this machine (%s)",
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

  test("is the peer's where nothing is told", () => {
    expect(from("127.0.0.1")).toBe("127.0.0.1");
    expect(from("198.51.100.7")).toBe("198.51.100.7");
  });
});
