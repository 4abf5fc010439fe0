import { beforeEach, describe, expect, test } from "bun:test";
import { maxStreams, OpenStream, OpenStreams, type StreamEnd } from "../../src/api/cache/open-streams.ts";

let now = 0;
let streams: OpenStreams;

beforeEach(() => {
  now = 0;
  checkAccess = async () => {};
  streams = new OpenStreams({ now: () => now, maxWaitMs: 5 });
});

let checkAccess = async () => {};
const caller = (account: number, key: number) => ({
  accountId: account,
  caller: `key ${account}.${key}`,
  checkAccess: () => checkAccess(),
});
const part = async () => new Uint8Array(10);

async function place(account: number, key: number): Promise<OpenStream> {
  const entered = await streams.enter(caller(account, key));
  if (entered instanceof OpenStream) return entered;
  throw new Error(`full: ${entered}`);
}

/** As many keys of an account as it takes, with places that nobody reads. */
async function stall(account: number, count: number): Promise<ReadableStream<Uint8Array>[]> {
  const bodies: ReadableStream<Uint8Array>[] = [];
  for (let index = 0; index < count; index++) {
    const stream = await place(account, Math.floor(index / maxStreams.caller));
    bodies.push(await stream.body(part));
  }
  return bodies;
}

/** The refusal of a call that has waited in vain. */
async function inVain(account: number, key: number): Promise<unknown> {
  const entering = streams.enter(caller(account, key));
  now += 6;
  return entering;
}

describe("places for streams", () => {
  test("are bounded for a caller, an account and the node", async () => {
    await stall(1, maxStreams.caller);
    expect(await inVain(1, 0)).toBe("caller");
    await stall(2, maxStreams.account);
    expect(await inVain(2, 9)).toBe("account");
    await stall(3, maxStreams.node - maxStreams.account - maxStreams.caller);
    expect(await inVain(4, 0)).toBe("node");
  });

  test("are given up by readers that do not read, as soon as another caller needs one", async () => {
    const bodies = await stall(1, maxStreams.account);
    const [first] = bodies;
    now += 5_001;
    await place(1, 99);
    expect(first?.getReader().read()).rejects.toThrow("the reader had stopped");
  });

  test("are not given up by those that read", async () => {
    const bodies = await stall(1, maxStreams.account);
    const readers = bodies.map((body) => body.getReader());
    now += 5_001;
    // The first part was made in advance.
    for (const reader of readers) await reader.read();
    for (const reader of readers) await reader.read();
    expect(await inVain(1, 99)).toBe("account");
    expect((await readers[0]?.read())?.done).toBe(false);
  });

  test("are not taken from a caller by itself, until the reader must be gone", async () => {
    await stall(1, maxStreams.caller);
    now += 30_000;
    expect(await inVain(1, 0)).toBe("caller");
    now += 10_000;
    expect(await place(1, 0)).toBeInstanceOf(OpenStream);
  });

  test("cannot be locked up by one account, whatever it does", async () => {
    await stall(1, maxStreams.account);
    expect(await place(2, 0)).toBeInstanceOf(OpenStream);
  });

  test("are free again when the stream ends, when it is cancelled and when it fails", async () => {
    const parts: (Uint8Array | null)[] = [new Uint8Array(1), null];
    const ends = await (await place(1, 0)).body(async () => parts.shift() ?? null);
    const cancelled = await (await place(1, 0)).body(part);
    let isGone = false;
    const failing = async () => {
      if (isGone) throw new Error("the store is gone");
      return new Uint8Array(10);
    };
    const fails = (await (await place(1, 0)).body(failing)).getReader();
    await stall(1, maxStreams.caller - 3);
    expect(await inVain(1, 0)).toBe("caller");
    expect((await new Response(ends).bytes()).length).toBe(1);
    await cancelled.cancel();
    await fails.read();
    isGone = true;
    expect(fails.read()).rejects.toThrow("the store is gone");
    expect((await place(1, 0)).body(failing)).rejects.toThrow("the store is gone");
    for (let index = 0; index < 3; index++) await place(1, 0);
    expect(await inVain(1, 0)).toBe("caller");
  });

  test("are lost by a reader who may no longer read, with the part that was read meanwhile", async () => {
    const ends: StreamEnd[] = [];
    const body = await (await place(1, 0))
      .body(
        async () => {
          // It ends while the part is read.
          checkAccess = () => Promise.reject(new Error("signed out"));
          return new Uint8Array(10);
        },
        (end) => void ends.push(end),
      )
      .catch((error: Error) => error.message);
    expect([body, ends]).toEqual(["signed out", [{ outcome: "failed", cause: new Error("signed out") }]]);
    checkAccess = async () => {};
    const reader = (await (await place(1, 0)).body(part)).getReader();
    expect((await reader.read()).value?.length).toBe(10);
    checkAccess = () => Promise.reject(new Error("signed out"));
    expect(reader.read()).rejects.toThrow("signed out");
    checkAccess = async () => {};
    await stall(1, maxStreams.caller);
  });

  test("are handed to the calls that wait", async () => {
    const [first] = await stall(1, maxStreams.caller);
    const waiting = streams.enter(caller(1, 0));
    await first?.cancel();
    expect(await waiting).toBeInstanceOf(OpenStream);
  });
});
