import { expect, test } from "bun:test";
import { deviceStatuses } from "../../src/domain/fleet.ts";
import { visibleDevices } from "../../src/store/fleet/devices.ts";
import { onEachEngine } from "../support/engines.ts";
import { newFleet } from "../support/seed-fleet.ts";

const page = { after: null, count: 100, status: null };

onEachEngine("the search for devices", (engine) => {
  test.each([
    ["a part of the name, in either case", "Delivery Van", "LIVERY v", "liveries"],
    ["a percent sign as itself", "100% electric", "0% E", "1%c"],
    ["an underscore as itself", "unit_7", "T_7", "u_it"],
    ["a backslash as itself", "north\\south", "H\\S", "north\\\\"],
    ["ß as SS", "Große Straße 5", "STRASSE", "strase"],
    ["ß from SS", "STRASSE 5", "straße", "strase"],
    ["both small sigmas as one", "Οδυσσεύς", "ΟΔΥΣΣΕΎΣ", "ΟΔΥΣΣΕΥΣ"],
    ["umlauts in either case", "Müllwagen Über", "MÜLLWAGEN ü", "mullwagen"],
    ["umlauts however they are composed", "Mu\u0308ller", "MÜLL", "muller"],
    ["the Turkish dotted capital", "İzmir 35", "i\u0307zm", "ızm"],
    ["text beyond the first plane", "Truck 🚚 one", "🚚 ONE", "🚛"],
    ["quotes as themselves", `O'Neill "A"`, `o'neill "a`, "''"],
  ])("takes %s", async (_, name, hit, miss) => {
    const { database } = await engine.fresh();
    const { seed, acme, owner, anna } = newFleet();
    const device = seed.device(acme, { name, seenBy: [anna] });
    await seed.save(database);
    for (const { visibility } of [owner, anna]) {
      expect(await visibleDevices(database, visibility, { ...page, search: hit })).toEqual([device]);
      expect(await visibleDevices(database, visibility, { ...page, search: miss })).toEqual([]);
    }
  });

  test("looks at name, IMEI and plate, and not across two of them", async () => {
    const { database } = await engine.fresh();
    const { seed, acme, owner } = newFleet();
    const device = seed.device(acme, { name: "Alpha", imei: "990000862471854", plate: "XY-Z 9" });
    await seed.save(database);
    const find = (search: string) => visibleDevices(database, owner.visibility, { ...page, search });
    for (const search of ["alph", "862471", "xy-z 9"]) expect(await find(search)).toEqual([device]);
    for (const search of ["Alpha\n99", "alpha99", "54XY", "\n", "\0", "Alpha\0"])
      expect(await find(search)).toEqual([]);
    expect(await find("")).toHaveLength(5);
  });

  test("goes together with a status and with pages", async () => {
    const { database } = await engine.fresh();
    const { seed, acme, owner, anna } = newFleet();
    const devices = Array.from({ length: 30 }, (_, index) =>
      seed.device(acme, {
        name: index % 2 === 0 ? "even" : "odd",
        status: deviceStatuses[index % 3] ?? "active",
        seenBy: index < 15 ? [anna] : [],
      }),
    );
    await seed.save(database);
    for (const [viewer, visible] of [
      [owner, devices],
      [anna, devices.slice(0, 15)],
    ] as const) {
      for (const status of deviceStatuses) {
        const expected = visible
          .filter((device) => device.name === "even" && device.status === status)
          .toSorted((one, other) => (one.id < other.id ? -1 : 1));
        const filters = { status, search: "EVEN", count: 2 };
        const found = [];
        for (let after: string | null = null; ; after = found.at(-1)?.id ?? null) {
          const rows = await visibleDevices(database, viewer.visibility, { ...filters, after });
          found.push(...rows);
          if (rows.length < 2) break;
        }
        expect(found).toEqual(expected);
      }
    }
  });
});
