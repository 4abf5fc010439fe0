import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { sharedPortal } from "../support/portal.ts";

const day = (index: number) => new Date(Date.UTC(2025, 9, 1, 8) + index * 10_000).toISOString();
const gpxPoint = (index: number) =>
  `<trkpt lat="${52.5 + index / 1_000}" lon="13.4"><time>${day(index)}</time><speed>11</speed></trkpt>`;
const gpx = (count: number) =>
  `<gpx version="1.1"><trk><trkseg>${Array.from({ length: count }, (_, index) => gpxPoint(index)).join("\n")}</trkseg></trk></gpx>`;

onEachEngine("a recorded drive", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("is stored by the owner of the vehicle, as if its tracker had sent it; again it changes nothing", async () => {
    const { signIn, devices } = given();
    const olga = await signIn("olga@acme.example");
    const store = (id: string, text: string) => olga.sendBytes(`/tracks/${id}`, new TextEncoder().encode(text));
    const first = await store(devices.car.id, gpx(40));
    expect([first.status, first.body.data]).toEqual([
      200,
      { added: 40, unchanged: 0, refused: 0, first_refused: null, last_at: day(39) },
    ]);
    expect((await store(devices.car.id, gpx(40))).body.data).toMatchObject({ added: 0, unchanged: 40 });
    const period = `from=${day(0)}&to=${day(60)}`;
    const history = await olga.get(`/data/positions/history?device_id=${devices.car.id}&${period}&limit=100`);
    expect(history.body.data.length).toBe(40);
    const trips = await olga.get(`/data/trips?device_id=${devices.car.id}&${period}`);
    expect(trips.body.data.length).toBe(1);

    const table = `time,lat,lon\n${day(50)},52.6,13.4\nyesterday,52.6,13.4\n`;
    expect((await store(devices.car.id, table)).body.data).toMatchObject({ added: 1, refused: 1, first_refused: 3 });
    for (const text of ["no track", "<gpx>", "{}", ""]) {
      const refused = await store(devices.car.id, text);
      expect([text, refused.status, typeof refused.body.error.fields?.file]).toEqual([text, 400, "string"]);
    }
    const otto = await signIn("otto@polar.example");
    const foreign = await otto.sendBytes(`/tracks/${devices.car.id}`, new TextEncoder().encode(gpx(2)));
    expect(foreign.status).toBe(404);
  });
});
