import type { Chance } from "./chance.ts";
import type { WireRequest } from "./connection.ts";
import type { ComparedFleet, SentFrame } from "./fleet.ts";

export interface PlannedMessage {
  readonly at: number;
  readonly request: WireRequest;
}

export interface Tokens {
  readonly main: string;
  readonly rival: string;
}

const knotsPerKmh = 1 / 1.852;

/** Messages to the ingest port in every format: most in order, some late, some twice, some that are refused. */
export function* plannedMessages(fleet: ComparedFleet, tokens: Tokens, chance: Chance): Generator<PlannedMessage> {
  const rivals = new Set(fleet.devices.slice(-3).map(({ imei }) => imei));
  const tokenOf = ({ imei }: SentFrame) => (rivals.has(imei) ? tokens.rival : tokens.main);
  const batches = new Map<string, SentFrame[]>();
  const late: SentFrame[] = [];
  const before: WireRequest[] = [];
  let size = 1;
  for (const { at, frames } of fleet.messages) {
    const [first] = frames;
    if (first === undefined) continue;
    if (chance.is(0.04)) {
      late.push(...frames);
      continue;
    }
    const token = tokenOf(first);
    const batch = batches.get(token) ?? [];
    batches.set(token, batch);
    batch.push(...frames);
    if (batch.length >= size) {
      const request = messageOf(batch, token, chance);
      batches.delete(token);
      yield { at, request };
      before.push(request);
      if (before.length > 50) before.shift();
      size = chance.is(0.5) ? 1 : chance.between(2, 120);
    }
    if (chance.is(0.004))
      yield { at, request: chance.of(before.length > 0 ? before : [wrongMessage(tokens, fleet, chance)]) };
    if (chance.is(0.02)) yield { at, request: wrongMessage(tokens, fleet, chance) };
    if (late.length > 0 && chance.is(0.01))
      yield* lateMessages(late.splice(0, chance.between(1, 40)), at, tokenOf, chance);
  }
  const end = fleet.messages.at(-1)?.at ?? fleet.beginAt;
  yield* lateMessages(late, end, tokenOf, chance);
}

/** Frames that come hours later and in any order, each device's by itself. */
function* lateMessages(
  frames: readonly SentFrame[],
  at: number,
  tokenOf: (frame: SentFrame) => string,
  chance: Chance,
): Generator<PlannedMessage> {
  const shuffled = frames
    .map((frame) => ({ frame, place: chance.number() }))
    .sort((one, other) => one.place - other.place);
  for (const [token, of] of Map.groupBy(shuffled, ({ frame }) => tokenOf(frame))) {
    const all = of.map(({ frame }) => frame);
    for (let begin = 0; begin < all.length; ) {
      const count = chance.is(0.3) ? 1 : chance.between(2, 30);
      yield { at, request: messageOf(all.slice(begin, begin + count), token, chance) };
      begin += count;
    }
  }
}

function messageOf(frames: readonly SentFrame[], token: string, chance: Chance): WireRequest {
  const [first] = frames;
  if (first === undefined || frames.length > 1) return ownFrames(frames, token, chance);
  const write = chance.weighted([
    [3, ownFrames],
    [3, traccar],
    [2, osmand],
    [1, traccarClient],
    [2, ownTracks],
  ]);
  return write(frames, token, chance);
}

function ownFrames(frames: readonly SentFrame[], token: string, chance: Chance): WireRequest {
  // Sent by hand now and then: without a time, with one of years ago or of tomorrow, and with what is no frame.
  const odd = { ...frames[0], ...chance.of(oddities) };
  const sent = chance.is(0.1) ? [...frames, odd] : frames;
  const isLines = chance.is(0.4);
  const text = isLines
    ? sent.map((frame) => JSON.stringify(frame)).join("\n")
    : JSON.stringify(sent.length === 1 && chance.is(0.5) ? sent[0] : sent);
  const isPacked = chance.is(0.2);
  const headers = {
    ...bearer(token),
    "Content-Type": isLines ? "application/x-ndjson" : "application/json",
    ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
  };
  return { method: "POST", target: "/frames", headers, body: isPacked ? Bun.gzipSync(Buffer.from(text)) : text };
}

const oddities: readonly object[] = [
  { recorded_at: null },
  { recorded_at: "1999-12-31T23:59:59Z" },
  { recorded_at: "2027-09-14T00:00:00Z" },
  { recorded_at: "yesterday", latitude: "abc" },
  { recorded_at: 1_773_476_130_000 },
  { received_at: "2026-09-14T12:00:00Z", event: "sos" },
  { received_at: "2028-01-01T00:00:00Z" },
  { imei: "999999999999999" },
  { imei: 356_307_042_441_013 },
  { latitude: 91, longitude: 13 },
  { latitude: 0, longitude: 0 },
  { fix: false },
  { source: "cell", accuracy_m: 3_000 },
  { speed_kmh: -1 },
  { speed_kmh: 9_999.5, satellites: 2 },
  { sensors: [{ kind: "door" }] },
  { sensors: [{ kind: "tyre", axle: 1, wheel: 2, pressure_kpa: 352, temperature_c: 131.5 }] },
  {
    sensors: [
      { kind: "temperature", sensor: "cargo", temperature_c: -18.5, humidity_percent: 40 },
      { kind: "fuel", sensor: "tank_2", volume_l: 12.25 },
    ],
  },
  { event: "crash", battery_percent: 3, external_voltage_v: 9.5 },
  { odometer_km: 5, ignition: false },
];

function traccar([frame]: readonly SentFrame[], token: string, chance: Chance): WireRequest {
  const { imei = "", recorded_at } = frame ?? {};
  const number = (field: string) => (typeof frame?.[field] === "number" ? (frame[field] as number) : undefined);
  const position = {
    id: chance.between(1, 1_000_000),
    protocol: "teltonika",
    deviceTime: recorded_at,
    fixTime: chance.is(0.05) ? "2026-09-14T08:00:00.000+00:00" : recorded_at,
    valid: frame?.fix !== false,
    latitude: number("latitude"),
    longitude: number("longitude"),
    altitude: number("altitude_m") ?? 0,
    speed: (number("speed_kmh") ?? 0) * knotsPerKmh,
    course: number("heading_deg") ?? 0,
    accuracy: number("accuracy_m") ?? 0,
    attributes: {
      sat: number("satellites"),
      hdop: number("hdop"),
      ignition: frame?.ignition,
      odometer: (number("odometer_km") ?? 0) * 1_000,
      batteryLevel: number("battery_percent"),
      power: number("external_voltage_v"),
      temp1: chance.is(0.2) ? chance.between(-30, 30) : undefined,
      fuelLevel: chance.is(0.2) ? chance.between(0, 100) : undefined,
      alarm: chance.is(0.1) ? chance.of(["sos", "hardBraking", "powerCut", "hardBraking,sos", "geofence"]) : undefined,
    },
  };
  const isEvent = chance.is(0.2);
  const event = isEvent
    ? { event: { type: chance.of(["alarm", "deviceOnline"]), eventTime: recorded_at, attributes: { alarm: "sos" } } }
    : {};
  return {
    method: "POST",
    target: isEvent ? "/traccar/events" : "/traccar/positions",
    headers: { ...bearer(token), "Content-Type": "application/json" },
    body: JSON.stringify({ position, device: { id: 1, uniqueId: imei, name: "x" }, ...event }),
  };
}

function osmand([frame]: readonly SentFrame[], token: string, chance: Chance): WireRequest {
  const given = new URLSearchParams({ id: String(frame?.imei) });
  const add = (name: string, value: unknown) => {
    if (value !== undefined && value !== null) given.set(name, String(value));
  };
  const at = Date.parse(frame?.recorded_at ?? "");
  if (chance.is(0.95)) add("timestamp", chance.of([at, Math.floor(at / 1_000), frame?.recorded_at]));
  add("lat", frame?.latitude);
  add("lon", frame?.longitude);
  add("speed", typeof frame?.speed_kmh === "number" ? frame.speed_kmh * knotsPerKmh : undefined);
  add("bearing", frame?.heading_deg);
  add("altitude", frame?.altitude_m);
  add("batt", frame?.battery_percent);
  add("ignition", frame?.ignition);
  if (chance.is(0.05)) add("alarm", "sos");
  if (chance.is(0.5)) return { method: "GET", target: `/osmand?token=${token}&${given}`, headers: {} };
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { method: "POST", target: `/osmand?token=${token}`, headers, body: String(given) };
}

/** What newer versions of the Traccar Client send instead of parameters. */
function traccarClient([frame]: readonly SentFrame[], token: string, chance: Chance): WireRequest {
  const location = {
    timestamp: frame?.recorded_at,
    coords: {
      latitude: frame?.latitude,
      longitude: frame?.longitude,
      speed: typeof frame?.speed_kmh === "number" ? frame.speed_kmh / 3.6 : -1,
      heading: frame?.heading_deg ?? -1,
      altitude: frame?.altitude_m,
      accuracy: chance.between(3, 30),
    },
    battery: { level: chance.between(0, 100) / 100 },
    odometer: chance.between(0, 100_000),
    ...(chance.is(0.1) ? { alarm: "sos" } : {}),
  };
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ device_id: frame?.imei, location });
  return { method: "POST", target: `/osmand?token=${token}`, headers, body };
}

function ownTracks([frame]: readonly SentFrame[], token: string, chance: Chance): WireRequest {
  const body = {
    _type: chance.is(0.95) ? "location" : chance.of(["transition", "encrypted", "waypoint", 7]),
    tst: Math.floor(Date.parse(frame?.recorded_at ?? "") / 1_000),
    lat: frame?.latitude,
    lon: frame?.longitude,
    vel: frame?.speed_kmh,
    cog: frame?.heading_deg,
    batt: frame?.battery_percent,
    t: chance.of(["i", "I", "e", null]),
  };
  const basic = Buffer.from(`ana:${token}`).toString("base64");
  const headers = {
    Authorization: `Basic ${basic}`,
    "X-Limit-D": String(frame?.imei),
    "Content-Type": "application/json",
  };
  return { method: "POST", target: "/owntracks", headers, body: JSON.stringify(body) };
}

/** What is refused as a whole, or is no message at all. */
function wrongMessage(tokens: Tokens, fleet: ComparedFleet, chance: Chance): WireRequest {
  const json = { ...bearer(tokens.main), "Content-Type": "application/json" };
  const post = (target: string, body: string | Uint8Array, headers: Record<string, string> = json): WireRequest => ({
    method: "POST",
    target,
    headers,
    body,
  });
  const [own] = fleet.devices;
  const frame = JSON.stringify({ imei: own?.imei, recorded_at: "2026-09-14T12:00:00Z", latitude: 52, longitude: 13 });
  // Wrong tokens are counted by address, and too many of one second are another answer.
  const from = { "X-Forwarded-For": `10.0.0.${chance.between(1, 3)}` };
  return chance.of<WireRequest>([
    post("/frames", ""),
    post("/frames", "[{"),
    post("/frames", "{}"),
    post("/frames", `${frame}\n{"cut": \n${frame}`),
    post("/frames", '[1, null, [], "x"]'),
    post("/frames", Buffer.from([0xff, 0xfe, 0x7b])),
    post("/frames", `[${"[".repeat(2_000)}${"]".repeat(2_000)}]`),
    post("/frames", frame, { ...json, "Content-Encoding": "gzip" }),
    post("/frames", frame, { ...json, "Content-Encoding": "br" }),
    post("/frames", frame, { ...bearer(tokens.rival) }),
    post("/frames", frame, { ...bearer("wrong"), ...from }),
    post("/frames", frame, { ...bearer(`${tokens.main.slice(0, -1)}x`), ...from }),
    post("/frames", frame, from),
    post("/traccar/positions", "{}"),
    post("/traccar/positions", "not json"),
    post("/traccar/positions", JSON.stringify([{ position: { fixTime: "x" }, device: { uniqueId: own?.imei } }, 5])),
    post("/traccar/events", "[]"),
    post("/owntracks", ""),
    post("/owntracks", "[]"),
    post("/owntracks", '{"_type":"location"}'),
    post("/osmand", '{"location":{"coords":{"latitude":52}},"device_id":"x"}'),
    post("/osmand", "x".repeat(2_000_000)),
    post("/nowhere", frame),
    { method: "GET", target: "/frames", headers: json },
    { method: "PUT", target: "/owntracks", headers: json, body: frame },
    { method: "HEAD", target: "/osmand?id=1", headers: {} },
    { method: "GET", target: `/osmand?token=${tokens.main}&id=1&timestamp=x&lat=north`, headers: {} },
    { method: "GET", target: "/osmand?token=wrong&id=1", headers: from },
    { method: "GET", target: "/ready", headers: {} },
  ]);
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
