import { allScopes } from "../../src/domain/scopes.ts";
import { formatInstant } from "../../src/domain/time.ts";
import type { Comparison } from "./comparison.ts";
import type { ComparedFleet } from "./fleet.ts";
import type { Tokens } from "./messages.ts";
import { cookieOf, createKeyRequest, type PortalSession, signInRequest } from "./portal-requests.ts";

export interface Credentials {
  readonly tokens: Tokens;
  readonly sessions: readonly PortalSession[];
  /** Secrets with how often they are used. */
  readonly keys: readonly (readonly [weight: number, secret: string])[];
}

/** Loads the fleet by the program's own commands, with files that are wrong among them. */
export async function loadFleet(comparison: Comparison, fleet: ComparedFleet): Promise<Tokens> {
  await comparison.run(["load", "-"], ndjson(fleet.records));
  await comparison.run(["load", "-"], ndjson(fleet.edits));
  const [device] = fleet.devices;
  const imei = device?.imei ?? "";
  // Nothing of them is stored, so they can be loaded at once.
  await Promise.all(wrongFiles(imei).map((wrong) => comparison.run(["load", "-"], wrong, 1)));
  await comparison.run(["import", "-", "--imei", imei], gpxTrack(fleet.beginAt));
  await comparison.run(["import", "-", "--imei", imei, "--speed-unit", "mph"], csvTrack(fleet.beginAt));
  const token = async (account: string) => {
    const { stdout } = await comparison.run([
      "ingest-tokens",
      "create",
      "--account",
      account,
      "--name",
      "gateway",
      "--json",
    ]);
    return (JSON.parse(stdout) as { token: string }).token;
  };
  return { main: await token(fleet.accounts.main), rival: await token(fleet.accounts.rival) };
}

/** Signs people in and makes keys of every scope and limit. The servers must be running. */
export async function makeCredentials(
  comparison: Comparison,
  fleet: ComparedFleet,
  tokens: Tokens,
  expiresAt: number,
): Promise<Credentials> {
  const sessions: PortalSession[] = [];
  const { owner, north, cold, rival } = fleet.people;
  for (const person of [owner, north, cold, rival]) {
    const answer = await comparison.ask(signInRequest(person));
    if (answer.status !== 200) throw new Error(`${person.email} cannot sign in: ${answer.body}`);
    sessions.push({ person, cookie: cookieOf(answer) });
  }
  // The owner of the suspended account, and someone with a wrong password.
  await comparison.ask(signInRequest(fleet.people.closed));
  await comparison.ask(signInRequest({ ...owner, password: "wrong" }));
  const [ofOwner, ofNorth, ofCold, ofRival] = sessions as [PortalSession, PortalSession, PortalSession, PortalSession];
  const made = async (session: PortalSession, name: string, scopes: readonly string[], more: object = {}) => {
    const answer = await comparison.ask(createKeyRequest(session, { name, scopes, ...more }));
    if (answer.status !== 201) throw new Error(`the key ${name} cannot be made: ${answer.body}`);
    return (JSON.parse(answer.body.toString()) as { key: string }).key;
  };
  const keys: [number, string][] = [
    [30, await made(ofOwner, "owner", allScopes)],
    [10, await made(ofNorth, "north", allScopes)],
    [6, await made(ofCold, "cold", allScopes)],
    [10, await made(ofRival, "rival", allScopes)],
    [5, await made(ofOwner, "few a second", allScopes, { per_second: 1 })],
    [3, await made(ofOwner, "few a day", allScopes, { per_day: 40 })],
    [3, await made(ofOwner, "expires", allScopes, { expires_at: formatInstant(expiresAt) })],
  ];
  for (const scope of allScopes) keys.push([2, await made(ofOwner, scope, [scope])]);
  const named = ["--user", owner.email, "--name", "by command", "--scopes", "all", "--json"];
  const revoked = JSON.parse((await comparison.run(["keys", "create", ...named])).stdout) as {
    id: string;
    key: string;
  };
  await comparison.run(["keys", "revoke", revoked.id]);
  return { tokens, sessions, keys: [...keys, [1, revoked.key]] };
}

function wrongFiles(imei: string): string[] {
  return [
    ndjson([{ type: "device", id: "1", imei: "ABC", name: "" }]),
    ndjson([{ type: "frame", imei, recorded_at: "2026-09-14T00:00:00Z", latitude: "north" }]),
  ];
}

function gpxTrack(from: number): string {
  const points = Array.from({ length: 30 }, (_, index) => {
    const time = formatInstant(from - 40 * 86_400_000 + index * 10_000);
    return `<trkpt lat="${52.5 + index / 1_000}" lon="13.4"><ele>34.5</ele><time>${time}</time><speed>11</speed><sat>9</sat></trkpt>`;
  });
  return `<?xml version="1.0"?><gpx version="1.1"><trk><name>A &amp; B</name><trkseg>${points.join("\n")}<trkpt lat="x" lon="1"/></trkseg></trk></gpx>`;
}

function csvTrack(from: number): string {
  const rows = Array.from({ length: 30 }, (_, index) => {
    const time = formatInstant(from - 41 * 86_400_000 + index * 10_000);
    return `${time},"${52.5 + index / 1_000}",13.4,${30 + index},on`;
  });
  return ["Time,Lat,Lng,Speed,Ignition", ...rows, "yesterday,1,2,3,off"].join("\r\n");
}

function ndjson(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
