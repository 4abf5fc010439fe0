import { describe, expect, test } from "bun:test";
import { alertTypes } from "../../src/domain/alert-types.ts";
import { parseFleetLine } from "../../src/fleet/parse/parse.ts";

const deviceId = "0b5f1c1e-0000-4000-8000-000000000001";

const nights = { within: [{ days: ["mon", "fri"], from: "20:00", until: "06:00" }], dates_off: ["2026-12-25"] };

function parse(alert_type: string, parameters: object) {
  const rules = [{ alert_type, parameters }];
  const parsed = parseFleetLine(7, JSON.stringify({ type: "alert_settings", device_id: deviceId, rules }));
  if (parsed?.type !== "alert_settings") throw new Error("not read as alert settings");
  return parsed;
}

function kept(alertType: string, parameters: object): object | undefined {
  return parse(alertType, parameters).record.rules[0]?.parameters;
}

function problem(alertType: string, parameters: object): string {
  try {
    parse(alertType, parameters);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

/** Type, name, what is still right, what is wrong, what is expected. */
const bounds: [string, string, unknown[], unknown[], string][] = [
  ["speeding", "limit_kmh", [1, 49.5, 300], [0.9, 300.1, "fast", true, [50], {}], "a number from 1 to 300"],
  ["idling", "after_s", [60, 2_592_000], [59.9, 2_592_000.1, "600"], "a number from 60 to 2592000"],
  ["gps_lost", "after_s", [60, 2_592_000], [59, 2_592_001], "a number from 60 to 2592000"],
  ["device_offline", "after_s", [60, 2_592_000], [0, -1], "a number from 60 to 2592000"],
  ["low_battery", "below_percent", [1, 99], [0, 100], "a number from 1 to 99"],
  ["low_external_voltage", "below_v", [1, 100], [0.99, 100.1], "a number from 1 to 100"],
  ["low_external_voltage", "nominal_v", [12, 24], [0, 13, "24"], "12 or 24"],
  ["temperature_high", "above_c", [-100, 0, 300], [-100.1, 300.1], "a number from -100 to 300"],
  ["temperature_low", "below_c", [-100, 0, 300], [-100.1, 300.1], "a number from -100 to 300"],
  [
    "temperature_high",
    "sensor",
    ["x", "c".repeat(64)],
    ["", "  ", "c".repeat(65), 5, "a\u0000b"],
    "the name of a sensor",
  ],
  ["temperature_low", "sensor", ["cargo"], ["", ["cargo"]], "the name of a sensor"],
  ["tyre_temperature_high", "above_c", [1, 300], [0, 301], "a number from 1 to 300"],
  [
    "tyre_pressure_low",
    "nominal_kpa",
    [50, 2000, { "1": 850, "2": 900.5 }, { "20": 50 }],
    [49, 2001, {}, [], { "0": 850 }, { "21": 850 }, { "01": 850 }, { front: 850 }, { "1": "850" }, { "1": 20 }],
    'a number from 50 to 2000, or an object with such a number for axles from "1" to "20"',
  ],
];

describe("the parameters of an alert rule", () => {
  test.each(bounds)(
    "%s %s: within its bounds it is kept, beyond them it is named",
    (type, name, right, wrong, expected) => {
      for (const value of right) expect(kept(type, { [name]: value })).toEqual({ [name]: value });
      for (const value of wrong) {
        expect([value, problem(type, { [name]: value })]).toEqual([
          value,
          expect.stringContaining(`field "rules[0].parameters.${name}": expected ${expected}`),
        ]);
      }
    },
  );

  test("a wrong value is named with what was found", () => {
    expect(problem("speeding", { limit_kmh: "fast" })).toBe(
      'line 7: field "rules[0].parameters.limit_kmh": expected a number from 1 to 300, got "fast"',
    );
  });

  test("all wrong values of a rule are named", () => {
    const message = problem("low_external_voltage", { below_v: "low", nominal_v: 48 });
    expect(message).toContain("parameters.below_v");
    expect(message).toContain("parameters.nominal_v");
  });

  test("one that is null is as good as none", () => {
    expect(kept("low_external_voltage", { below_v: null, nominal_v: 24 })).toEqual({ nominal_v: 24 });
  });

  test("a sensor's name is trimmed", () => {
    expect(kept("temperature_high", { sensor: " cargo " })).toEqual({ sensor: "cargo" });
  });

  test("the order in which they are written does not matter", () => {
    const one = JSON.stringify(kept("low_external_voltage", { below_v: 22, nominal_v: 24 }));
    expect(JSON.stringify(kept("low_external_voltage", { nominal_v: 24, below_v: 22 }))).toBe(one);
  });

  test("a name that no rule has is left out and named", () => {
    for (const type of alertTypes) {
      const needed = type === "unauthorised_movement" ? { times: nights } : {};
      const parsed = parse(type, { ...needed, limt_kmh: 50, constructor: [[[[1]]]] });
      expect(parsed.record.rules[0]?.parameters).toEqual(needed);
      expect(parsed.unknownFields).toEqual(["rules[].parameters.limt_kmh", "rules[].parameters.constructor"]);
    }
  });

  test("a name that only rules of other types have is left out", () => {
    expect(kept("idling", { after_s: 300, limit_kmh: 50 })).toEqual({ after_s: 300 });
  });
});

describe("the times of a rule", () => {
  const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const part = { days: ["mon"], from: "20:00", until: "06:00" };

  test("belong to every type, and are kept in one spelling", () => {
    for (const type of alertTypes) expect(kept(type, { times: nights })).toEqual({ times: nights });
    const mixed = {
      dates_off: ["2027-01-01", "2026-12-25", "2027-01-01"],
      within: [{ ...part, days: ["sun", "mon", "sun"] }],
    };
    expect(JSON.stringify(kept("sos", { times: mixed }))).toBe(
      '{"times":{"within":[{"days":["mon","sun"],"from":"20:00","until":"06:00"}],"dates_off":["2026-12-25","2027-01-01"]}}',
    );
  });

  test("that are empty are none, but for the type that needs them", () => {
    for (const times of [null, {}, { within: [] }, { within: null, dates_off: [] }]) {
      expect(kept("idling", { times })).toEqual({});
      expect(problem("unauthorised_movement", { times })).toContain(
        'field "rules[0].parameters.times": expected the times at which the alert is raised',
      );
    }
    expect(kept("unauthorised_movement", { times: { dates_off: ["2026-12-25"] } })).toEqual({
      times: { within: [], dates_off: ["2026-12-25"] },
    });
    const off = {
      type: "alert_settings",
      device_id: deviceId,
      rules: [{ alert_type: "unauthorised_movement", enabled: false }],
    };
    expect(parseFleetLine(7, JSON.stringify(off))?.type).toBe("alert_settings");
  });

  test.each<[unknown, string, string]>([
    ["nights", "times", "an object such as"],
    [{ within: "20:00" }, "times.within", "an array of at most 20 objects"],
    [{ within: Array(21).fill(part) }, "times.within", "an array of at most 20 objects"],
    [{ within: [part, 5] }, "times.within[1]", "an object with days, from and until"],
    [{ within: [{ ...part, days: [] }] }, "times.within[0].days", "an array of days of the week"],
    [{ within: [{ ...part, days: ["mon", "Tue"] }] }, "times.within[0].days[1]", "one of mon, tue"],
    [{ within: [{ ...part, from: "8:00" }] }, "times.within[0].from", "a time of the day"],
    [{ within: [{ ...part, until: "24:00" }] }, "times.within[0].until", "a time of the day"],
    [{ within: [{ ...part, until: undefined }] }, "times.within[0].until", "a time of the day"],
    [{ dates_off: ["2026-02-30"] }, "times.dates_off[0]", "a date such as"],
    [{ dates_off: ["25.12.2026"] }, "times.dates_off[0]", "a date such as"],
    [{ dates_off: Array(101).fill("2026-12-25") }, "times.dates_off", "an array of at most 100 dates"],
  ])("%j is refused with the path of what is wrong", (times, path, expected) => {
    expect(problem("idling", { times })).toContain(`field "rules[0].parameters.${path}": expected ${expected}`);
  });

  test("may overlap, and a name that is not known is reported", () => {
    const all = { days: week, from: "00:00", until: "00:00" };
    expect(kept("idling", { times: { within: [all, part, part] } })).toMatchObject({
      times: { within: [all, part, part] },
    });
    expect(parse("idling", { times: { within: [{ ...part, untill: 1 }], dates: [] } }).unknownFields).toEqual([
      "rules[].parameters.times.within[].untill",
      "rules[].parameters.times.dates",
    ]);
  });
});

const id = "0b5f1c1e-0000-4000-8000-000000000001";

const ana = { type: "user", id, account_id: id, name: "Ana", email: "ana@acme.test", role: "owner" };

function userProblem(fields: Record<string, unknown>): string {
  try {
    parseFleetLine(7, JSON.stringify({ ...ana, ...fields }));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("a wrong password", () => {
  test.each([
    { password: "short" },
    { password: "x".repeat(201) },
    { password: "tab	in the middle" },
    { password: 1234567890 },
    { password: ["hunter2hunter2"] },
    { password: { a: "hunter2" } },
    { password: true },
  ])("is never shown: %j", ({ password }) => {
    const message = userProblem({ password, role: "hunter3" });
    expect(message).toContain('field "password": expected 8 to 200 characters, none of them a control character');
    for (const secret of ["short", "xxx", "tab", "1234", "hunter2", "true"]) expect(message).not.toContain(secret);
  });
});

describe("the hash of a password", () => {
  // 32 bytes of salt, 32 of hash.
  const [salt, hash] = ["c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0c2FsdHNhbHQ", "aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"];
  const written = (cost: string, tail = `${salt}$${hash}`) => `$argon2id$v=19$${cost}$${tail}`;

  test("is taken as export writes it", () => {
    expect(userProblem({ password_hash: written("m=19456,t=2,p=1") })).toBe("");
  });

  test.each([
    { what: "a password", password_hash: "aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g" },
    { what: "bcrypt", password_hash: `$2b$10$${"aGFz".repeat(13)}x` },
    { what: "argon2i", password_hash: written("m=19456,t=2,p=1").replace("argon2id", "argon2i") },
    { what: "another version", password_hash: written("m=19456,t=2,p=1").replace("v=19", "v=16") },
    { what: "more memory", password_hash: written("m=4194304,t=2,p=1") },
    { what: "more passes", password_hash: written("m=19456,t=4294967295,p=1") },
    { what: "more threads", password_hash: written("m=19456,t=2,p=255") },
    { what: "less work", password_hash: written("m=8,t=1,p=1") },
    { what: "no salt", password_hash: written("m=19456,t=2,p=1", `$${hash}`) },
    { what: "a long salt", password_hash: written("m=19456,t=2,p=1", `${salt.repeat(1000)}$${hash}`) },
    { what: "another text before", password_hash: `x${written("m=19456,t=2,p=1")}` },
    { what: "another text after", password_hash: `${written("m=19456,t=2,p=1")}\n` },
    { what: "no text", password_hash: ["aGFzaGhhc2hoYXNoaGFz"] },
  ])("of another form is refused and never shown: $what", ({ password_hash }) => {
    const message = userProblem({ password_hash });
    expect(message).toBe(
      'line 7: field "password_hash": expected a hash as `odograph fleet export` writes it (argon2id)',
    );
  });

  test("beside a password is one too many, and neither is shown", () => {
    expect(userProblem({ password: "hunter2hunter2", password_hash: written("m=19456,t=2,p=1") })).toBe(
      'line 7: field "password_hash": expected either password or password_hash, not both',
    );
  });
});
