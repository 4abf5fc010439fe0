import { expect, test } from "bun:test";
import { failureOf, queryParametersOf, type RouteUnderTest, urlOf, urlWith } from "./route-request.ts";
import type { SeededDevice } from "./seed.ts";

const unknownDevice = { id: "00000000-0000-4000-8000-00000000dead", imei: "359999999999999" };
const noSuchDevice = { status: 404, error: { code: "NOT_FOUND", message: "there is no such device" } };

type Named = Pick<SeededDevice, "id" | "imei">;

/** What holds of a route that takes a device, in its query or in its path. */
export function declareDeviceChoice(under: RouteUnderTest): void {
  const parameters = queryParametersOf(under.route);
  if (parameters.includes("imei")) declareNarrowing(under, parameters.includes("device_id"));
  if (under.route.path.includes("{device_id}")) declarePath(under);
}

/** For anna: another's of her account, nobody's, another account's, and one that is not there at all. */
function outOfSight({ world }: RouteUnderTest): Named[] {
  const { car, trailer, spare, ferry, barge } = world().devices;
  return [car, trailer, spare, ferry, barge, unknownDevice];
}

function declareNarrowing(under: RouteUnderTest, takesId: boolean): void {
  const { world, request } = under;

  /** The request for another device than the one it may name by itself. */
  const url = (choice: Record<string, string>) => {
    const { device_id, imei, ...query } = request().query;
    return urlOf({ path: request().path, query: { ...query, ...choice } });
  };

  test("tells a device out of sight from one that does not exist by nothing", async () => {
    for (const device of outOfSight(under)) {
      const choices = [{ imei: device.imei }, ...(takesId ? [{ device_id: device.id }, bothOf(device)] : [])];
      for (const choice of choices) expect(failureOf(await world().get(url(choice), "anna"))).toEqual(noSuchDevice);
    }
  });

  test("takes any text for an IMEI that no device has", async () => {
    const { van } = world().devices;
    const texts = [
      "1",
      "3563070424410",
      `${van.imei}0`,
      ` ${van.imei}`,
      "٣56307042441013",
      van.id,
      "a\u0000b",
      "\n",
      "%",
    ];
    for (const text of [...texts, "x".repeat(4000)]) {
      expect([text, failureOf(await world().get(url({ imei: text }), "anna"))]).toEqual([text, noSuchDevice]);
      if (!takesId) continue;
      expect(failureOf(await world().get(url({ imei: text, device_id: van.id }), "anna"))).toEqual(noSuchDevice);
    }
  });

  if (!takesId) return;

  test("finds the same by id, in either case, and by IMEI", async () => {
    const { van, truck } = world().devices;
    for (const device of [van, truck]) {
      const { status, text, body } = await world().get(url({ device_id: device.id }), "anna");
      expect(status).toBe(200);
      expect(body.data.length).toBeGreaterThan(0);
      for (const one of body.data) {
        const { device_id, imei } = one.record ?? one;
        expect([device_id, imei]).toEqual([device.id, device.imei]);
      }
      for (const choice of [{ device_id: device.id.toUpperCase() }, { imei: device.imei }, bothOf(device)]) {
        expect((await world().get(url(choice), "anna")).text).toBe(text);
      }
    }
  });

  test("refuses an id and an IMEI of two devices, without telling of those out of sight", async () => {
    const { van, truck } = world().devices;
    const differing = await world().get(url({ device_id: van.id, imei: truck.imei }), "anna");
    expect(failureOf(differing)).toMatchObject({ status: 400, error: { code: "INVALID_REQUEST" } });
    expect(differing.body.error.message).toMatch(/device_id.*imei/);
    for (const hidden of outOfSight(under)) {
      for (const choice of [
        { device_id: van.id, imei: hidden.imei },
        { device_id: hidden.id, imei: van.imei },
      ]) {
        expect(failureOf(await world().get(url(choice), "anna"))).toEqual(noSuchDevice);
      }
    }
    const { car, spare } = world().devices;
    expect(failureOf(await world().get(url({ device_id: car.id, imei: spare.imei }), "anna"))).toEqual(noSuchDevice);
  });
}

function declarePath(under: RouteUnderTest): void {
  const { world, route } = under;
  const pathOf = (text: string) => route.path.replace("{device_id}", text);

  test("finds the device of the path by id, in either case, and by IMEI", async () => {
    const { van } = world().devices;
    const { status, text } = await world().get(pathOf(van.id), "anna");
    expect(status).toBe(200);
    for (const name of [van.id.toUpperCase(), van.imei, van.id.replace("-", "%2D"), `%3${van.imei}`]) {
      expect((await world().get(pathOf(name), "anna")).text).toBe(text);
    }
  });

  test("knows no device out of sight, and nothing that names none", async () => {
    const { van, truck } = world().devices;
    for (const { id, imei } of outOfSight(under)) {
      for (const name of [id, imei]) {
        expect(failureOf(await world().get(pathOf(name), "anna"))).toEqual(noSuchDevice);
      }
    }
    for (const name of ["nope", "%20", van.name, van.id.replaceAll("-", ""), `${van.imei}0`, "%00", "..%2F", "%27"]) {
      expect(failureOf(await world().get(pathOf(name), "anna"))).toEqual(noSuchDevice);
    }
    // What stands in the query names nothing here.
    const elsewhere = urlWith({ path: pathOf("nope"), query: {} }, { device_id: truck.id, imei: truck.imei });
    expect(failureOf(await world().get(elsewhere, "anna"))).toEqual(noSuchDevice);
  });
}

function bothOf({ id, imei }: Named) {
  return { device_id: id, imei };
}
