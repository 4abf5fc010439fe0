import { expect, test } from "bun:test";
import type { sight } from "../../support/api-fleet.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";
import type { SeededDevice } from "../../support/seed.ts";

function record({ id, last_seen_at, last_position_at }: SeededDevice) {
  return { device_id: id, last_seen_at: iso(last_seen_at), last_position_at: iso(last_position_at) };
}

describeRoute("listDevices", (world) => {
  async function expectListed(query: string, devices: readonly SeededDevice[], viewer: keyof typeof sight = "olga") {
    const data = sortedBy(devices, (device) => device.id).map(record);
    const { body } = await world().get(`/devices${query}`, viewer);
    expect([query, body]).toMatchObject([query, { data, next_cursor: null }]);
  }

  test("filters by status", async () => {
    const { van, truck, car, trailer, spare } = world().devices;
    await expectListed("?status=active", [van, truck, spare]);
    await expectListed("?status=inactive", [car]);
    await expectListed("?status=blocked", [trailer]);
    await expectListed("?status=blocked", [], "anna");
  });

  test("finds one device by its IMEI, if it fits the other filters", async () => {
    const { van } = world().devices;
    for (const viewer of ["olga", "anna"] as const) {
      await expectListed(`?imei=${van.imei}`, [van], viewer);
      await expectListed(`?imei=${van.imei}&status=active&search=AMBER&limit=1`, [van], viewer);
      await expectListed(`?imei=${van.imei}&status=blocked`, [], viewer);
      await expectListed(`?imei=${van.imei}&search=birch`, [], viewer);
    }
  });

  test("searches name, IMEI and plate for a part, in either case and to the letter", async () => {
    const { van, truck, car, trailer, spare } = world().devices;
    const searches: [string, SeededDevice[]][] = [
      ["", [van, truck, car, trailer, spare]],
      ["amber", [van]],
      ["AMBER VAN", [van]],
      ["TR", [truck, trailer]],
      [truck.imei, [truck]],
      [truck.imei.slice(-4), [truck]],
      ["ac-me", [van, truck, spare]],
      ["me 101", [van]],
      // All of Unicode: ä and Ä, ß and ẞ and SS.
      ["äc-", [car]],
      ["ÄC-ẞE", [car]],
      ["äc-ße", [car]],
      ["a\u0308c-", [car]],
      // To the letter.
      ["%", [car]],
      ["_", [car]],
      ["\\", [car]],
      ["100%_\\", [car]],
      ["a%r", []],
      ["a_b", []],
      ["'", []],
      ["Volvo", []],
      // Not across two fields.
      ["van350", []],
      [" ", [van, truck, car, trailer, spare]],
    ];
    for (const [search, devices] of searches) {
      await expectListed(`?search=${encodeURIComponent(search)}`, devices);
    }
    await expectListed("?search=%2520", []);
    await expectListed("?search=truck&status=active", [truck], "ben");
    await expectListed("?search=amber", [], "ben");
    await expectListed(`?search=${"x".repeat(200)}`, []);
    // A line break must not find the seam between two fields.
    for (const control of ["%00", "%02", "%0A", "%7F"]) {
      await expectListed(`?search=${control}`, []);
      await expectListed(`?imei=${truck.imei}&search=${control}`, []);
    }
  });

  test("pages through what a filter leaves", async () => {
    const { van, truck, spare } = world().devices;
    const [first, ...rest] = sortedBy([van, truck, spare], (device) => device.id);
    const { body } = await world().get("/devices?status=active&limit=1");
    expect(body.data).toMatchObject([first].map((device) => device && record(device)));
    await expectListed(`?cursor=${body.next_cursor}&limit=500`, rest);
    await expectListed(`?cursor=${body.next_cursor}&limit=500&status=active`, rest);
    expect((await world().get(`/devices?cursor=${body.next_cursor}&status=blocked`)).status).toBe(400);
    expect((await world().get(`/devices?cursor=${body.next_cursor}&search=x`)).status).toBe(400);
  });
});
