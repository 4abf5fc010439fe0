import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/domain/errors.ts";
import { readCsv } from "../../src/intake/formats/csv.ts";
import { readGpx } from "../../src/intake/formats/gpx.ts";
import { type SpeedUnit, speedUnits } from "../../src/intake/formats/units.ts";
import type { ImportedPoint, IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { noReport } from "../support/random-drive.ts";

const imei = "356307042441013";
const then = Date.UTC(2026, 2, 14, 8, 15, 30);

async function all(points: AsyncIterable<ImportedPoint>): Promise<ImportedPoint[]> {
  const found: ImportedPoint[] = [];
  for await (const point of points) found.push(point);
  return found;
}

const gpx = (text: string) => all(readGpx([text], imei));
const csv = (text: string, speedUnit: SpeedUnit = "kmh") => all(readCsv([text], { imei, speedUnit }));

async function firstOf(points: Promise<ImportedPoint[]>): Promise<IncomingFrame> {
  const [point] = await points;
  if (point === undefined || !("frame" in point)) throw new Error(JSON.stringify(point));
  return point.frame;
}

async function failure(points: Promise<unknown>): Promise<string> {
  return points.then(
    () => "nothing failed",
    (error) => (error instanceof Failure ? `${error.code}: ${error.message}` : Promise.reject(error)),
  );
}

/** The text cut into pieces, at any places. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((one, other) => one - other);
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

const garmin = `<?xml version="1.0" encoding="UTF-8"?>
<!-- recorded > on a phone -->
<gpx version="1.1" creator="Odograph &amp; tests" xmlns="http://www.topografix.com/GPX/1/1"
     xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
  <metadata><time>2020-01-01T00:00:00Z</time></metadata>
  <wpt lat="1" lon="2"><time>2026-03-14T08:00:00Z</time></wpt>
  <trk><name><![CDATA[<trkpt lat="9" lon="9">]]></name><trkseg>
    <trkpt lat="52.5200066" lon="13.404954">
      <ele>34.2</ele><time>2026-03-14T08:15:30Z</time>
      <fix>3d</fix><sat>11</sat><hdop>0.9</hdop>
      <extensions><gpxtpx:TrackPointExtension>
        <gpxtpx:atemp>21</gpxtpx:atemp><gpxtpx:speed>10.5</gpxtpx:speed><gpxtpx:course>271</gpxtpx:course>
      </gpxtpx:TrackPointExtension></extensions>
    </trkpt>
    <trkpt lon='13.5' lat='52.6'><time> 2026-03-14T10:15:31.5+02:00 </time></trkpt>
  </trkseg><trkseg>
    <trkpt lat="x" lon="13.5"><time>later</time></trkpt>
    <trkpt lat="52.6" lon="13.5"/>
  </trkseg></trk>
</gpx>
`;

const place = { latitude: 52.5200066, longitude: 13.404954 };
const unknown = { ...noReport, ...place, imei, recordedAt: then, receivedAt: then };

describe("a GPX file", () => {
  test("gives its track points in order, with the line of each that is refused", async () => {
    const [first, second, ...refused] = await gpx(garmin);
    const extended = { altitude_m: 34.2, speed_kmh: 37.8, heading_deg: 271, satellites: 11, hdop: 0.9, fix: true };
    expect(first).toEqual({ line: 8, frame: { ...unknown, ...extended } });
    const laterAt = then + 1500;
    const later = { latitude: 52.6, longitude: 13.5, recordedAt: laterAt, receivedAt: laterAt };
    expect(second).toEqual({ line: 15, frame: { ...unknown, ...later } });
    const time = "time: expected an ISO 8601 time or a count since 1970";
    expect(refused).toEqual([
      { line: 17, reason: `${time}, got "later"; latitude: expected a number, got "x"` },
      { line: 18, reason: `${time}, but it is missing` },
    ]);
  });

  test("of version 1.0 has speed and course in the point itself", async () => {
    const point = (inside: string) =>
      `<gpx version="1.0"><trk><trkseg><trkpt lat="1" lon="2"><time>2026-03-14T08:15:30Z</time>${inside}</trkpt></trkseg></trk></gpx>`;
    expect(await firstOf(gpx(point("<course>229.9</course><speed>20</speed><fix>none</fix>")))).toMatchObject({
      heading_deg: 229.9,
      speed_kmh: 72,
      fix: false,
    });
    expect(await firstOf(gpx(point("<course>-1.0</course><speed>-1.0</speed>")))).toMatchObject({
      heading_deg: null,
      speed_kmh: null,
    });
  });

  test("counts the lines of a tag that spans several", async () => {
    const points = await gpx('<gpx\n>\n<trkpt\n lat="1"\n lon="2"/>\r\n<trkpt lat="1"\r\n\r\nlon="2" /></gpx>');
    expect(points.map(({ line }) => line)).toEqual([3, 6]);
  });

  test("gives the points before the place where it is no GPX any more", async () => {
    const found: ImportedPoint[] = [];
    const read = async () => {
      for await (const point of readGpx([garmin.replace('<trkpt lat="x"', "<trkpt lat=x")], imei)) found.push(point);
    };
    expect(await failure(read())).toBe("FILE_UNREADABLE: line 17: not well-formed XML: unquoted attribute value");
    expect(found.map(({ line }) => line)).toEqual([8, 15]);
  });

  test("expands no entity of its own", async () => {
    const level = (number: number) => `<!ENTITY e${number} "${`&e${number - 1};`.repeat(100)}">`;
    const bomb = `<!DOCTYPE gpx [<!ENTITY e0 "ha">${[1, 2, 3, 4, 5].map(level).join("")}]>`;
    const point = '<trkpt lat="1" lon="2"><time>2026-03-14T08:15:30Z</time><name>&e5;</name></trkpt>';
    expect(await gpx(`${bomb}<gpx><name>&e5;&nbsp;</name>${point}</gpx>`)).toHaveLength(1);
    const [refused] = await gpx(`${bomb}<gpx><trkpt lat="1" lon="2"><time>&e5;</time></trkpt></gpx>`);
    expect(refused).toEqual({ line: 1, reason: expect.stringContaining('got "&e5;"') });
  });

  test("is read the same in whatever pieces it arrives", async () => {
    const whole = await gpx(garmin);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 30 }), async (cuts) => {
        expect(await all(readGpx(pieces(garmin, cuts), imei))).toEqual(whole);
      }),
    );
  });

  test.each([
    ["", "expected GPX"],
    ["time,lat,lon", "line 1: not well-formed XML: text data outside of root node"],
    ["<!DOCTYPE html [ <!ENTITY a '>'> ]><html></html>", "line 1: expected GPX, got <html>"],
    ["<gpx><trk>", "the GPX ends in the middle"],
    ["<gpx>\n<trk></gpx>", "line 2: not well-formed XML: unexpected close tag"],
    ["<gpx>\n<trkpt lat=", "the GPX ends in the middle"],
    ["<gpx></gpx>\n<!--", "line 2: not well-formed XML: unexpected end"],
    [`<gpx>\n${"<a>".repeat(200)}`, "line 2: expected GPX, got more than 100 nested tags"],
    [`<gpx></gpx>${" ".repeat(1_048_577)}`, "line 1: expected XML, got 1048576 characters without a tag"],
    [`<gpx ${"a".repeat(1_048_577)}`, "line 1: expected XML, got 1048576 characters without a tag"],
  ])("is refused as a whole if it is none, %#", async (text, message) => {
    expect(await failure(gpx(text))).toBe(`FILE_UNREADABLE: ${message}`);
  });
});

describe("a CSV file", () => {
  const row = "2026-03-14T08:15:30Z,52.5200066,13.404954";

  test("is read by our names", async () => {
    const header =
      "recorded_at,latitude,longitude,altitude_m,speed_kmh,heading_deg,accuracy_m,satellites,hdop,ignition,odometer_km,battery_percent,external_voltage_v,event,fix,source";
    expect(await csv(`${header}\n${row},34.2,52.3,271,4.5,11,0.9,true,1234.5,98,12.6,sos,true,gps\n`)).toEqual([
      {
        line: 2,
        frame: {
          ...unknown,
          altitude_m: 34.2,
          speed_kmh: 52.3,
          heading_deg: 271,
          accuracy_m: 4.5,
          satellites: 11,
          hdop: 0.9,
          ignition: true,
          odometer_km: 1234.5,
          battery_percent: 98,
          external_voltage_v: 12.6,
          event: "sos",
          fix: true,
          source: "gps",
        },
      },
    ]);
  });

  test.each<[string, string, Partial<IncomingFrame>]>([
    ["time,lat,lon", row, {}],
    ["Timestamp,GPS Lat,GPS Long", row, {}],
    ['"time_utc","gps_lat","lng"', '"2026-03-14 08:15:30","52.5200066","13.404954"', {}],
    ["time;lat;lon;Speed (km/h)", "2026-03-14T08:15:30Z;52,5200066;13,404954;7,5", { speed_kmh: 7.5 }],
    ["time\tlat\tlon", "1773476130\t52.5200066\t13.404954", {}],
    ["timestamp,lat,lon", "1773476130000,52.5200066,13.404954", {}],
    ["date,time,lat,lon", "2026/03/14,08:15:30,52.5200066,13.404954", {}],
    ["date,timestamp,lat,lon", "14.3.,2026-03-14T08:15:30Z,52.5200066,13.404954", {}],
    ["date,lat,lon", "2026-03-14 08:15:30,52.5200066,13.404954", {}],
    ["timestamp,lat,lon,speed_mph", `${row},10`, { speed_kmh: 16.093 }],
    ["timestamp,lat,lon,speed_ms", `${row},10`, { speed_kmh: 36 }],
    ["timestamp,lat,lon,speed_knots", `${row},10`, { speed_kmh: 18.52 }],
    ["timestamp,lat,lon,speed,speed_ms", `${row},7,10`, { speed_kmh: 36 }],
    ["timestamp,lat,lon,speed,constructor", `${row},7,x`, { speed_kmh: 7 }],
    [
      "timestamp,lat,lon,ele,course,sats,ign",
      `${row},34,271,11,off`,
      { altitude_m: 34, heading_deg: 271, satellites: 11, ignition: false },
    ],
    ["timestamp,lat,lon,fix,odometer_m", `${row},3D,1234`, { fix: true, odometer_km: 1.234 }],
    ["timestamp,lat,lon,hdop,accuracy,batt", `${row},NaN,null,`, {}],
    ["timestamp,lat,lon,event", `${row},"a ""b"", c"`, { event: 'a "b", c' }],
  ])("%s, with %s", async (header, cells, expected) => {
    const points = await csv(`\uFEFF${header}\r\n\r\n${cells}\r\n`);
    expect(points).toEqual([{ line: 3, frame: { ...unknown, ...expected } }]);
  });

  test("has a bare speed in whichever unit it is said to be", async () => {
    const kmhByUnit: Readonly<Record<SpeedUnit, number>> = { kmh: 10, knots: 18.52, mph: 16.093, ms: 36 };
    for (const unit of speedUnits) {
      expect((await firstOf(csv(`time,lat,lon,speed\n${row},10`, unit))).speed_kmh).toBe(kmhByUnit[unit]);
    }
  });

  test("refuses a wrong row by its line, and reads on", async () => {
    const text = `time,lat,lon,note\n${row},"two\nlines"\nnoon,a,b,\n${row}\n${row},`;
    const points = await csv(text);
    expect(points.map((point) => ("reason" in point ? [point.line, point.reason] : point.line))).toEqual([
      2,
      [
        4,
        'time: expected an ISO 8601 time or a count since 1970, got "noon"; latitude: expected a number, got "a"; longitude: expected a number, got "b"',
      ],
      [5, "expected 4 columns as in the header, got 3"],
      6,
    ]);
  });

  const quoteReason = "a cell that begins with a quote must end with one";
  test.each<[string, readonly string[], readonly (number | [number, string])[]]>([
    ["is never closed", [`${row},"open`, `${row},a`, `${row},b`], [[2, quoteReason], 3, 4]],
    ["meets a later one", [`${row},"open`, `${row},a`, `${row},"b"`], [[2, quoteReason], 3, 4]],
    [
      "seems to be closed by a later one, within a number",
      ['2026-03-14T08:15:30Z,52.5,"13.4,', `${row},a`, '2026-03-14T08:15:30Z,"52.5,13.4,', `${row},b`],
      [[2, quoteReason], 3, [4, quoteReason], 5],
    ],
    [
      "opens nothing",
      [`${row},5" pipe`, `${row}",a`, `${row},b`],
      [2, [3, 'longitude: expected a number, got "13.404954\\""'], 4],
    ],
    ["is followed by text", [`${row},"a"b`, `${row},"a" b`, `${row},c`], [[2, quoteReason], [3, quoteReason], 4]],
    [
      "stays open for longer than a row may be",
      [`${row},"open`, ...Array.from({ length: 150 }, () => `${row},a`), `${row},b"`],
      [[2, quoteReason], ...Array.from({ length: 151 }, (_, index) => index + 3)],
    ],
  ])("refuses at most the one row of a quote that %s", async (_, rows, expected) => {
    const text = ["time,lat,lon,note", ...rows].join("\n");
    for (const pieces of [[text], text.split(/(?<=\n)/), [...text]]) {
      const points = await all(readCsv(pieces, { imei, speedUnit: "kmh" }));
      expect(points.map((point) => ("reason" in point ? [point.line, point.reason] : point.line))).toEqual([
        ...expected,
      ]);
    }
  });

  test("has rows of many lines where a note has them", async () => {
    const note = `"${"a line\n".repeat(90)}"`;
    const points = await csv(`note,time,lat,lon\n${note},${row}\n"${'""\n'.repeat(3)}",${row}\n,${row}\n`);
    expect(points.map((point) => ["frame" in point, point.line])).toEqual([
      [true, 2],
      [true, 93],
      [true, 97],
    ]);
  });

  test("is read the same in whatever pieces it arrives", async () => {
    const text = `time,lat,lon,event\r\n${row},"a\r\n,b"\n\n${row},c\n${row}`;
    const whole = await csv(text);
    expect(whole).toHaveLength(3);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        expect(await all(readCsv(pieces(text, cuts), { imei, speedUnit: "kmh" }))).toEqual(whole);
      }),
    );
  });

  test.each([
    ["", "expected a header row, got an empty file"],
    ["\n \n", "expected a header row, got an empty file"],
    [
      'time,lat,"lon\n',
      "line 1: expected a header row with names of columns, such as time,lat,lon: a cell that begins with a quote must end with one",
    ],
    ["lat,time\n", "line 1: expected a header row with a longitude (lon, lng, longitude)"],
    [`time,lat,lon\n"${"x".repeat(1_048_577)}`, "line 2: a row of more than 1048576 characters"],
  ])("is refused as a whole if its header does not do, %#", async (text, message) => {
    expect(await failure(csv(text))).toBe(`FILE_UNREADABLE: ${message}`);
  });
});
