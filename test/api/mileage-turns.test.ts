import { expect, test } from "bun:test";
import { maxStreams } from "../../src/api/cache/open-streams.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { seedLongReport } from "../support/seed-report.ts";
import { served } from "../support/served.ts";

/** What comes in from outside is seen once in each turn of the event loop. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function longReports(database: Parameters<typeof seedLongReport>[0]) {
  const { email, path, rows } = await seedLongReport(database);
  const { api, close } = await startApi(database);
  const key = () => keyOf(database, email, { perSecond: 1_000, perDay: 100_000 });
  const ask = (ofKey: string, encoding = "identity") => {
    const headers = { "X-API-Key": ofKey, "Accept-Encoding": encoding };
    const request = () => new Request(`http://odograph.test/v1${path}`, { headers });
    return served(() => Promise.resolve(api.answer(request(), () => "127.0.0.1")));
  };
  const poll = async (ofKey: string) => {
    const headers = { "X-API-Key": ofKey };
    // Whatever needs PostgreSQL may wait for it longer than a part takes.
    const path = database.engine === "sqlite" ? "/v1/devices?limit=1" : "/v1/openapi.json";
    const request = new Request(`http://odograph.test${path}`, { headers });
    return (await api.answer(request, () => "127.0.0.1")).status;
  };
  return { key, ask, poll, close, rows };
}

onEachEngine("a report that takes long to read", (engine) => {
  test("is whole and lets others have their answers between its parts, plain and compressed", async () => {
    const { key, ask, poll, close, rows } = await longReports((await engine.fresh()).database);
    const [ofReport, ofOthers] = [await key(), await key()];
    const unpack = { identity: (bytes: Uint8Array) => bytes, gzip: Bun.gunzipSync, zstd: Bun.zstdDecompressSync };
    const texts: string[] = [];
    for (const encoding of ["identity", "gzip", "zstd"] as const) {
      const parts: Uint8Array[] = [];
      const events: ("part" | "poll")[] = [];
      let isRead = false;
      const reading = ask(ofReport, encoding).then(async (response) => {
        for await (const part of response.body ?? []) {
          parts.push(part);
          events.push("part");
        }
        isRead = true;
      });
      // Each poll comes in with another turn, as one from outside does.
      while (!isRead) {
        await turn();
        await poll(ofOthers);
        if (!isRead) events.push("poll");
      }
      await reading;
      // 36 parts of rows: even if two of them came in one turn now and then, there would be as many polls as this.
      expect(events.filter((event) => event === "poll").length, encoding).toBeGreaterThan(18);
      const first = events.indexOf("part");
      const between = events.slice(first, events.lastIndexOf("part")).filter((event) => event === "poll");
      if (encoding === "identity") expect(between.length).toBeGreaterThan(18);
      texts.push(new TextDecoder().decode(unpack[encoding](Buffer.concat(parts))));
    }
    expect(texts.map((text) => text === texts[0])).toEqual([true, true, true]);
    const { data, next_cursor } = JSON.parse(texts[0] ?? "");
    const names: string[] = data.map((row: { device_id: string; date: string }) => `${row.device_id} ${row.date}`);
    expect([new Set(names).size, next_cursor]).toEqual([rows, null]);
    expect(names).toEqual(names.toSorted());
    await close();
  });

  test("makes one part a turn, however many are read at once", async () => {
    const { key, ask, close } = await longReports((await engine.fresh()).database);
    const [one, another] = [await key(), await key()];
    const responses = await Promise.all([one, one, one, another, another, another].map((ofKey) => ask(ofKey)));
    const readers = responses.map((response) => response.body?.getReader());
    // The first part of each was made in advance.
    for (const reader of readers) await reader?.read();
    let parts = 0;
    let left = readers.length;
    const reading = readers.map(async (reader) => {
      while (!(await reader?.read())?.done) parts++;
      left--;
    });
    const partsByTurn: number[] = [];
    while (left > 0) {
      const before = parts;
      await turn();
      partsByTurn.push(parts - before);
    }
    await Promise.all(reading);
    expect(parts).toBeGreaterThanOrEqual(6 * 36);
    // Between two turns of ours there may be two of theirs. What PostgreSQL reads meanwhile may come all at once.
    if (engine.name === "sqlite") expect(Math.max(...partsByTurn)).toBeLessThanOrEqual(2);
    await close();
  });

  test("has a place; a key that has none left waits for one, and is refused at no cost if none is left in time", async () => {
    await awayFromMidnight();
    const { key, ask, close, rows } = await longReports((await engine.fresh()).database);
    const [one, another] = [await key(), await key()];
    const unread = await Promise.all(Array.from({ length: maxStreams.caller }, () => ask(one)));
    expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200));
    const left = Math.min(...unread.map(({ headers }) => Number(headers.get("X-RateLimit-Remaining"))));
    const waiting = ask(one);
    const others = await ask(another);
    expect(others.status).toBe(200);
    const whole = await others.text();
    expect(JSON.parse(whole).data).toHaveLength(rows);

    const refused = await waiting;
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "5"]);
    expect(Number(refused.headers.get("X-RateLimit-Remaining"))).toBe(left);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe("RATE_LIMITED");
    expect(error.message).toStartWith(`${maxStreams.caller} long answers of this key are being read`);

    // A client that goes away frees its place at once, and so does one that has read everything. (That those who wait get
    // it then is a test of open-streams.test.ts, with a clock of its own.)
    await unread[0]?.body?.cancel();
    expect((await ask(one)).status).toBe(200);
    const reader = unread[1]?.body?.getReader();
    while (!(await reader?.read())?.done);
    expect((await ask(one)).status).toBe(200);
    await close();
  });
});
