import type { RecordedAnswer } from "./recorded-answers.ts";

/** A request that a customer's program may send, whatever comes of it. */
export interface Question {
  readonly method: string;
  /** From the root. `{cursor}` stands for the `next_cursor` of the answer before. */
  readonly path: string;
  /** The name of a key of the store, or a text that is none. Null: no key. */
  readonly key: string | null;
  /** Beside the key. `{etag}` stands for the `ETag` of the answer before, `{owner}` for the key of that name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface QuestionAnswer {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const firstDay = "from=2026-11-09T00:00:00Z&to=2026-11-10T00:00:00Z";
const morning = "from=2026-11-09T06:00:00Z&to=2026-11-09T09:00:00Z";
const unknownId = "00000000-0000-4000-8000-000000000000";
const unknownImei = "490154203237518";
const asBearer = (key: string) => ({ Authorization: `Bearer {${key}}` });

const lists = ["/devices", "/positions/latest", "/geofences", "/users"];
const windowed = ["/trips", "/alerts", "/sensors/fuel", "/geofence-events"];

/** What a release is asked: every route, with good and bad parameters, as the owner, a sub-account and strangers. */
export function questionsAbout(before: readonly RecordedAnswer[]): Question[] {
  const ids = (key: string, path: string, name: string): string[] => {
    const data = before.find((answer) => answer.key === key && answer.path === path)?.data;
    return Array.isArray(data) ? data.map((record) => String(record[name])) : [];
  };
  const [seen = ""] = ids("depot", "/devices", "device_id");
  const [seenImei = ""] = ids("depot", "/devices", "imei");
  const owners = ids("owner", "/devices", "device_id");
  const unseen = owners.find((id) => id !== seen) ?? "";
  const unseenImei = ids("owner", "/devices", "imei").find((imei) => imei !== seenImei) ?? "";
  const [foreign = ""] = ids("rival", "/devices", "device_id");
  const [self = ""] = ids("depot", "/users", "user_id");
  const other = ids("owner", "/users", "user_id").find((id) => id !== self) ?? "";

  const get = (path: string, key: string | null = "owner", headers?: Question["headers"]): Question => ({
    method: "GET",
    path: `/v1${path}`,
    key,
    ...(headers && { headers }),
  });
  const good = [
    ...lists,
    ...owners.flatMap((id) => [`/devices/${id}`, `/devices/${id}/alert-settings`, `/devices/${id}/geofences`]),
    `/devices/${seenImei}`,
    `/devices/${seen.toUpperCase()}`,
    `/users/${self}`,
    `/users/${other}`,
    "/devices?status=active",
    "/devices?status=blocked",
    "/devices?search=VAN",
    "/devices?search=",
    "/devices?search=no%20such%20thing",
    `/devices?imei=${seenImei}`,
    `/devices?imei=${unseenImei}&status=active`,
    "/devices?unknown_parameter=1&limit=2",
    "/devices?cursor=",
    `/positions/latest?imei=${seenImei}`,
    `/positions/latest?device_id=${seen}&imei=${seenImei}`,
    `/positions/history?device_id=${seen}&${morning}&limit=40`,
    `/positions/history?device_id=${seen}&${morning}&limit=40&valid_only=false`,
    `/positions/history?imei=${unseenImei}&${morning}&limit=40&valid_only=true`,
    ...windowed.map((path) => `${path}?${firstDay}&limit=40`),
    `/sensors/temperature?${firstDay}&limit=40`,
    `/sensors/tyre?${firstDay}&limit=40`,
    ...windowed.map((path) => `${path}?${firstDay}&device_id=${seen}&limit=5`),
    ...windowed.map((path) => `${path}?${firstDay}&imei=${unseenImei}&limit=5`),
    ...windowed,
    `/alerts?${firstDay}&acknowledged=true`,
    `/alerts?${firstDay}&acknowledged=false&severity=warning&limit=5`,
    `/alerts?${firstDay}&alert_type=speeding&limit=5`,
    `/alerts?${firstDay}&alert_type=never%20heard%20of`,
    `/alerts?${firstDay}&severity=critical`,
    `/trips?from=2026-01-01&to=2026-11-20&limit=3`,
    `/trips?from=2026-11-09T00:00:00%2B02:00&to=2026-11-10T00:00:00&limit=3`,
    `/trips?from=2026-11-09T00:00:00+02:00&to=2026-11-10T00:00:00.250Z&limit=3`,
    `/trips?from=2026-11-09&to=2026-11-10&limit=3`,
    `/trips?to=2026-11-10&limit=3`,
    `/reports/mileage?${firstDay}`,
    `/reports/mileage?from=2026-11-09&to=2026-11-11&device_id=${seen}`,
    `/reports/mileage?from=2020-01-01&to=2026-11-11&imei=${unseenImei}`,
    "/reports/mileage",
    `/reports/mileage?${firstDay}&period=week&group_by=fleet`,
    `/reports/mileage?${firstDay}&period=day&group_by=tag`,
    `/stops?${firstDay}&limit=40`,
    `/stops?${firstDay}&device_id=${seen}&min_duration_s=600&include_names=true`,
    "/positions/at?time=2026-11-09T08:00:00Z",
    `/positions/at?time=2026-11-09T08:00:00Z&imei=${seenImei}&max_age_s=60`,
    "/positions/at?time=2026-11-09T08:00:00Z&near=52.5,13.4&radius_m=20000",
    "/positions/latest?near=52.5,13.4&limit=2",
    `/trips?${firstDay}&fields=started_at,distance_km&limit=5`,
    `/alerts?${firstDay}&include_names=true&min_value=1&limit=5`,
    "/devices?tag=nothing",
    "/changes?types=trip,alert,stop&limit=20",
    "/changes?types=device,user,geofence&limit=20",
  ];
  const bad = [
    "/",
    "/nothing",
    "/devices/",
    "/devices/x",
    `/devices/${unknownId}`,
    `/devices/${unknownImei}`,
    `/devices/${foreign}`,
    `/devices/${foreign}/alert-settings`,
    `/devices/${unknownId}/geofences`,
    `/devices/${seen}/nothing`,
    `/users/${unknownId}`,
    "/users/x",
    `/sensors/speed?${firstDay}`,
    "/positions/history",
    `/positions/history?device_id=${unknownId}`,
    `/positions/history?device_id=${seen}&valid_only=maybe`,
    ...[...lists, ...windowed].flatMap((path) =>
      ["limit=0", "limit=501", "limit=ten", "limit=1.5", "limit=", "limit=5&limit=6", "cursor=x", "limit=%zz"].map(
        (query) => `${path}?${query}`,
      ),
    ),
    ...[...windowed, "/reports/mileage", "/positions/latest"].flatMap((path) => [
      `${path}?device_id=x`,
      `${path}?device_id=`,
      `${path}?device_id=${unknownId}`,
      `${path}?device_id=${foreign}`,
      `${path}?imei=${unknownImei}`,
      `${path}?imei=abc`,
      `${path}?imei=`,
      `${path}?device_id=${seen}&imei=${unseenImei}`,
    ]),
    ...[...windowed, "/reports/mileage"].flatMap((path) => [
      `${path}?from=yesterday`,
      `${path}?to=2026-13-01`,
      `${path}?from=`,
      `${path}?from=2026-11-10&to=2026-11-09`,
      `${path}?from=2026-11-10&to=2026-11-10`,
      `${path}?from=2026-11-08T24:00:00&to=2026-11-10&limit=1`,
      `${path}?from=2026-11-09&to=2026-11-09T23:59:60Z&limit=1`,
      `${path}?from=1&from=2`,
    ]),
    "/alerts?acknowledged=yes",
    "/alerts?severity=bad",
    "/alerts?alert_type=",
    "/alerts?severity=bad&acknowledged=yes&limit=0",
    `/alerts?alert_type=${"x".repeat(201)}`,
    "/positions/at",
    "/positions/at?time=2026-11-09T08:00:00Z&near=somewhere",
    "/stops?min_duration_s=-1",
    "/reports/mileage?period=year",
    "/changes?types=nothing",
    "/changes?cursor=x",
    `/trips?${firstDay}&fields=nothing`,
    "/devices?status=lost",
    "/devices?imei=abc",
    "/devices?search=%00",
    `/devices?search=${"x".repeat(201)}`,
    "/devices?limit=007",
    `/reports/mileage?${firstDay}&limit=1&cursor=x`,
  ];
  const everyRoute = [
    ...lists,
    `/devices/${seen}`,
    `/devices/${seen}/alert-settings`,
    `/devices/${seen}/geofences`,
    `/positions/history?device_id=${seen}&${morning}&limit=5`,
    ...windowed.map((path) => `${path}?${firstDay}&limit=5`),
    `/users/${self}`,
    `/reports/mileage?${firstDay}`,
    `/stops?${firstDay}&limit=5`,
    "/positions/at?time=2026-11-09T08:00:00Z",
    "/changes?types=position&limit=5",
  ];
  const ofSubAccount = [
    ...everyRoute,
    `/devices/${unseen}`,
    `/devices/${unseenImei}`,
    `/devices/${unseen}/alert-settings`,
    `/devices/${unseen}/geofences`,
    `/devices?imei=${unseenImei}`,
    `/positions/latest?device_id=${unseen}`,
    `/positions/history?device_id=${unseen}&${morning}`,
    `/trips?${firstDay}&imei=${unseenImei}`,
    `/reports/mileage?${firstDay}&device_id=${unseen}`,
    `/users/${other}`,
  ];
  const paged = ["/geofences?limit=5", `/trips?${firstDay}&limit=5`, `/sensors/fuel?${firstDay}&limit=30`];
  return [
    get("/health", null),
    get("/health", "owner"),
    get("/openapi.json", null),
    ...good.map((path) => get(path)),
    ...bad.map((path) => get(path)),
    ...ofSubAccount.map((path) => get(path, "depot")),
    ...everyRoute.map((path) => get(path, "positions only")),
    ...paged.flatMap((path) => [
      get(path),
      get(`${path}&cursor={cursor}`),
      get(`${path.split("?")[0]}?cursor={cursor}`),
      get(`${path.replace(/limit=\d+/, "limit=7")}&cursor={cursor}`),
    ]),
    get("/geofences?limit=5"),
    get("/users?cursor={cursor}"),
    get("/geofences?limit=5"),
    get("/geofences?cursor={cursor}", "rival"),
    get("/positions/latest"),
    get("/positions/latest", "owner", { "If-None-Match": "{etag}" }),
    get("/positions/latest", "owner", { "If-None-Match": '"elsewhere"' }),
    get("/positions/latest", "owner", { "If-None-Match": "*" }),
    get("/positions/latest?limit=2"),
    get("/positions/latest?limit=2", "owner", { "If-None-Match": 'W/"x", {etag}' }),
    ...["/health", "/openapi.json", ...everyRoute].map((path) => ({ ...get(path), method: "HEAD" })),
    ...["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) => [
      { ...get("/devices"), method },
      { ...get("/health", null), method },
    ]),
    { ...get(`/trips?${firstDay}`), method: "POST" },
    ...["revoked", "expired", "replaced", "suspended", "odo_wrong", null].map((key) => get("/devices", key)),
    get("/trips?limit=0", null),
    get("/nothing", null),
    get("/geofences?limit=1", null, asBearer("owner")),
    get("/geofences?limit=1", null, { Authorization: "bearer {owner}" }),
    get("/geofences?limit=1", null, { Authorization: "Basic {owner}" }),
    get("/geofences?limit=1", "depot", asBearer("owner")),
    get("/geofences?limit=1", "owner", asBearer("owner")),
    get("/devices", "owner", { Accept: "application/xml" }),
    get("/devices", "owner", { Accept: "text/html, */*;q=0.1" }),
    get("/geofences", "owner", { "Accept-Encoding": "gzip" }),
    get("/geofences", "owner", { "Accept-Encoding": "identity" }),
    get("/devices?limit=1", "one a day"),
    get("/devices?limit=1", "one a day"),
    get("/positions/latest?limit=1", "one a day", { "If-None-Match": "*" }),
  ];
}

/** Asks a server. The answers are in the order of the questions. */
export async function ask(
  url: string,
  keys: Readonly<Record<string, string>>,
  questions: readonly Question[],
): Promise<QuestionAnswer[]> {
  const answers: QuestionAnswer[] = [];
  for (const question of questions) {
    const before = answers.at(-1);
    for (;;) {
      const answer = await askOnce(url, keys, question, before);
      // Strangers have few calls a second. That is not what is asked here.
      const isOfSecond = answer.status === 429 && answer.headers["retry-after"] === "1";
      if (isOfSecond) await Bun.sleep(1_000);
      else answers.push(answer);
      if (!isOfSecond) break;
    }
  }
  return answers;
}

async function askOnce(
  url: string,
  keys: Readonly<Record<string, string>>,
  { method, path, key, headers = {} }: Question,
  before: QuestionAnswer | undefined,
): Promise<QuestionAnswer> {
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value, keys, before)]);
  const all = { ...(key !== null && { "X-API-Key": keys[key] ?? key }), ...Object.fromEntries(filled) };
  const address = `${url}${path.replace("{cursor}", cursorIn(before))}`;
  const response = await fetch(address, { method, headers: { "Accept-Encoding": "identity", ...all } });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

function fill(value: string, keys: Readonly<Record<string, string>>, before: QuestionAnswer | undefined): string {
  return value.replace(/\{([^}]+)\}/g, (_, name) => (name === "etag" ? before?.headers.etag : keys[name]) ?? "");
}

function cursorIn(before: QuestionAnswer | undefined): string {
  return String(JSON.parse(before?.text || "{}").next_cursor ?? "");
}
