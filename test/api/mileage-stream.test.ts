import { expect, test } from "bun:test";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { Seed } from "../support/seed.ts";

const devices = 20;
const days = 320;
const lastDay = 20_600;

onEachEngine("a mileage report of more rows than are read at once", (engine) => {
  test("is whole, in order and without a row twice, plain and compressed", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const rows = Array.from({ length: devices }, () => seed.device(account)).flatMap((device) =>
      Array.from({ length: days }, (_, index) => seed.mileage(device, { day: lastDay - index })),
    );
    await seed.save(database);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email);
    const at = (day: number) => new Date(day * 86_400_000).toISOString();
    const path = `/reports/mileage?from=${at(lastDay - days)}&to=${at(lastDay + 1)}`;

    const plain = await api.get(path, key);
    const told = plain.body.data.map((row: { device_id: string; date: string }) => `${row.device_id} ${row.date}`);
    const expected = rows.map(({ device_id, day }) => `${device_id} ${at(day).slice(0, 10)}`).sort();
    expect(told).toEqual(expected);
    expect(plain.body.next_cursor).toBeNull();

    for (const encoding of ["gzip", "zstd"] as const) {
      const request = new Request(`http://odograph.test/v1${path}`, {
        headers: { "X-API-Key": key, "Accept-Encoding": encoding },
      });
      const response = await api.api.answer(request, () => "127.0.0.1");
      expect(response.headers.get("Content-Encoding")).toBe(encoding);
      const packed = new Uint8Array(await response.arrayBuffer());
      const unpacked = encoding === "gzip" ? Bun.gunzipSync(packed) : Bun.zstdDecompressSync(packed);
      expect(new TextDecoder().decode(unpacked)).toBe(plain.text);
    }
    await api.close();
  });
});
