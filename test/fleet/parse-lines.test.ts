import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../src/domain/errors.ts";
import { collectFleet, parseFleetLine } from "../../src/fleet/parse/parse.ts";

const uuid = (number: number) => `0b5f1c1e-0000-4000-8000-${String(number).padStart(12, "0")}`;

function problem(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).code).toBe("FLEET_FILE_INVALID");
    return (error as Failure).message;
  }
  return "";
}

describe("parseFleetLine", () => {
  test.each(["", "   ", "\t\r", "\r"])("a blank line %j holds nothing", (text) => {
    expect(parseFleetLine(3, text)).toBeNull();
  });

  test("a byte order mark may open the file", () => {
    const text = `\uFEFF${JSON.stringify({ type: "account", id: uuid(1), name: "Acme" })}\r`;
    expect(parseFleetLine(1, text)?.type).toBe("account");
    expect(parseFleetLine(1, "\uFEFF")).toBeNull();
    expect(problem(() => parseFleetLine(2, text))).toContain("line 2: expected one JSON object");
  });

  test.each([
    ["hello", "text that does not start with {"],
    ["{", "text that does not end with } (an object must be on one line)"],
    ['{"type":"user","password":"hunter2hunter2"', "text that does not end with } (an object must be on one line)"],
    ['{"type":"user","password":hunter2hunter2}', "text that is not JSON"],
    ["{'type':'user','password':'hunter2hunter2'}", "text that is not JSON"],
    ['{"type":"account"}{"password":"hunter2hunter2"}', "text that is not JSON"],
    ['["hunter2"]', "an array"],
    ['"hunter2"', "a string"],
    ["5", "a number"],
    ["true", "a boolean"],
    ["null", "null"],
  ])("%s is not one object, and the line is not echoed", (text, found) => {
    expect(problem(() => parseFleetLine(3, text))).toBe(`line 3: expected one JSON object, got ${found}`);
  });

  test("an unknown type is refused with the known ones", () => {
    const known = "account, user, device, driver, geofence, alert_settings, frame";
    const expected = `line 4: field "type": expected one of ${known}`;
    expect(problem(() => parseFleetLine(4, '{"type":"vehicle"}'))).toBe(`${expected}, got "vehicle"`);
    expect(problem(() => parseFleetLine(4, '{"id":1}'))).toBe(`${expected}, but it is missing`);
    expect(problem(() => parseFleetLine(4, '{"type":"toString"}'))).toBe(`${expected}, got "toString"`);
    expect(problem(() => parseFleetLine(4, '{"type":{"password":"x"}}'))).toBe(`${expected}, got an object`);
  });

  test("a frame is handed on unread", () => {
    const raw = { type: "frame", imei: 5, nonsense: true };
    expect(parseFleetLine(9, JSON.stringify(raw))).toEqual({ type: "frame", line: 9, raw });
  });

  test("fields it does not know are named, wherever they are", () => {
    const settings = {
      type: "alert_settings",
      device_id: uuid(1),
      note: 1,
      rules: [
        { alert_type: "sos", levl: 1, parameters: { free: 1 } },
        { alert_type: "towing", levl: 2 },
      ],
    };
    const account = { type: "account", id: uuid(1), name: "Acme", limits: { per_minute: 1 }, constructor: 1 };
    const fence = {
      ...{ type: "geofence", id: uuid(1), account_id: uuid(1), name: "Depot", shape: "circle", radius_m: 50 },
      geometry: { type: "Point", coordinates: [0, 0], bbox: [0, 0, 0, 0], crs: null },
    };
    const unknownIn = (record: object) => {
      const parsed = parseFleetLine(1, JSON.stringify(record));
      return parsed !== null && "unknownFields" in parsed ? parsed.unknownFields : null;
    };
    expect(unknownIn(settings)).toEqual(["note", "rules[].levl", "rules[].parameters.free"]);
    expect(unknownIn(account)).toEqual(["limits.per_minute", "constructor"]);
    expect(unknownIn(fence)).toEqual(["geometry.crs"]);
  });

  test("whatever a line holds, it is read or refused with its number", () => {
    const types = fc.constantFrom("account", "user", "device", "geofence", "alert_settings", "frame");
    const fields = fc.constantFrom(
      "id",
      "name",
      "imei",
      "geometry",
      "rules",
      "tags",
      "external_ids",
      "limits",
      "shape",
    );
    const record = fc.tuple(types, fc.dictionary(fields, fc.jsonValue())).map(([type, rest]) => ({ ...rest, type }));
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      record.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(line, (text) => {
        const message = problem(() => parseFleetLine(12, text));
        expect(message === "" || message.startsWith("line 12: ")).toBe(true);
        expect(message).not.toMatch(/\p{Cc}/u);
        expect(message.length).toBeLessThan(4000);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a fleet file", () => {
  const account = { type: "account", id: uuid(1), name: "Acme" };
  const owner = { type: "user", id: uuid(2), account_id: uuid(1), name: "Ana", email: "ana@acme.test", role: "owner" };
  const device = { type: "device", id: uuid(3), account_id: uuid(1), imei: "356307042441013", name: "Van" };
  const fence = {
    ...{ type: "geofence", id: uuid(4), account_id: uuid(1), name: "Depot", shape: "circle", radius_m: 50 },
    geometry: { type: "Point", coordinates: [0, 0] },
  };
  const settings = { type: "alert_settings", device_id: uuid(3), rules: [] };
  const frame = { type: "frame", imei: "356307042441013" };

  function collect(...records: object[]) {
    const fleet = collectFleet(({ imei }) => (typeof imei === "string" ? { imei } : "imei: expected text, got 5"));
    for (const [index, record] of records.entries()) fleet.add(index + 1, JSON.stringify(record));
    return fleet.finish();
  }

  test("is gathered by type, with its lines", () => {
    const file = collect(account, owner, device, frame, fence, settings, frame);
    expect(file.accounts.map(({ line }) => line)).toEqual([1]);
    expect(file.users.map(({ line }) => line)).toEqual([2]);
    expect(file.devices.map(({ line, record }) => [line, record.imei])).toEqual([[3, "356307042441013"]]);
    expect(file.geofences.map(({ line }) => line)).toEqual([5]);
    expect(file.alertSettings.map(({ line }) => line)).toEqual([6]);
    expect(file.frames).toEqual({ count: 2, firstLineByImei: new Map([["356307042441013", 4]]) });
    expect(file.unknownFields.size).toBe(0);
    expect(collect()).toMatchObject({ accounts: [], frames: { count: 0, firstLineByImei: new Map() } });
  });

  test("tells what is wrong with a frame as with any other line", () => {
    expect(() => collect(account, { ...frame, imei: 5 })).toThrow('line 2: field "imei": expected text, got 5');
  });

  test("counts the fields of a frame that nobody knows", () => {
    const sensors = [{ kind: "fuel", sensor: "tank", level: 5 }];
    const file = collect({ ...frame, speed: 50, speed_kmh: 50, sensors }, { ...frame, speed: 51 });
    expect([...file.unknownFields]).toEqual([
      ['frame field "speed"', { line: 1, count: 2 }],
      ['frame field "sensors[].level"', { line: 1, count: 1 }],
    ]);
  });

  test("counts the fields it does not know, and not without end", () => {
    const file = collect(
      account,
      { ...device, colour: 1 },
      { ...device, id: uuid(5), imei: "356307042441014", colour: 2 },
    );
    expect([...file.unknownFields]).toEqual([['device field "colour"', { line: 2, count: 2 }]]);
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`extra_${index}`, 1]));
    const counted = collect(account, { ...device, ...many }).unknownFields;
    expect(counted.size).toBe(101);
    expect(counted.get("other fields")).toEqual({ line: 2, count: 50 });
  });

  test("stops at a wrong line", () => {
    expect(problem(() => collect(account, { ...device, imei: "ABCDEFGHIJKLMN" }))).toBe(
      'line 2: field "imei": expected 14 to 16 digits, got "ABCDEFGHIJKLMN"',
    );
  });

  const january = { valid_from: "2026-01-01" };
  const versions = "already (two versions need different valid_from)";
  const twice: [string, object[], string][] = [
    ["account id", [account, account], `line 2: field "id": ${uuid(1)} is used by line 1 already`],
    [
      "user id, in another case",
      [owner, { ...owner, id: uuid(2).toUpperCase(), email: "b@acme.test", role: "sub_account" }],
      `line 2: field "id": ${uuid(2)} is used by line 1 already`,
    ],
    [
      "device id",
      [device, { ...device, imei: "356307042441021" }],
      `line 2: field "id": ${uuid(3)} is used by line 1 already`,
    ],
    [
      "IMEI",
      [device, account, { ...device, id: uuid(5) }],
      'line 3: field "imei": 356307042441013 is used by line 1 already',
    ],
    [
      "e-mail address, in another case",
      [owner, { ...owner, id: uuid(5), email: " ANA@acme.test", role: "sub_account" }],
      'line 2: field "email": ana@acme.test is used by line 1 already',
    ],
    [
      "owner",
      [owner, { ...owner, id: uuid(5), email: "b@acme.test" }],
      `line 2: field "role": account ${uuid(1)} has its owner on line 1 already`,
    ],
    ["fence", [fence, fence], `line 2: field "id": ${uuid(4)} is used by line 1 ${versions}`],
    [
      "version of a fence",
      [{ ...fence, ...january }, fence, { ...fence, valid_from: "2026-01-01T01:00:00+01:00" }],
      `line 3: field "id": ${uuid(4)} from 2026-01-01T00:00:00.000Z is used by line 1 ${versions}`,
    ],
    ["settings", [settings, settings], `line 2: field "device_id": ${uuid(3)} is used by line 1 ${versions}`],
  ];
  test.each(twice)("does not name the same %s twice", (_, records, expected) => {
    expect(problem(() => collect(...records))).toBe(expected);
  });

  test("may hold versions, owners of several accounts, and one id for records of several types", () => {
    const file = collect(
      ...[account, { ...account, id: uuid(2) }, owner],
      { ...owner, id: uuid(1), account_id: uuid(2), email: "b@b.test" },
      ...[fence, { ...fence, ...january }, { ...fence, valid_from: "2026-02-01" }],
      ...[settings, { ...settings, ...january }],
    );
    expect(file.geofences).toHaveLength(3);
    expect(file.alertSettings).toHaveLength(2);
  });

  test("tells several repetitions in the order of their lines, and not without end", () => {
    expect(problem(() => collect(device, owner, account, device, account))).toBe(
      [
        `line 4: field "id": ${uuid(3)} is used by line 1 already`,
        'line 4: field "imei": 356307042441013 is used by line 1 already',
        `line 5: field "id": ${uuid(1)} is used by line 3 already`,
      ].join("; "),
    );
    expect(problem(() => collect(...Array(31).fill(account)))).toEndWith("; and 20 more");
  });
});
