import { afterEach, describe, expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import { UploadedStreets, type UploadLimits, UploadRefused } from "../../src/portal/tiles/uploaded-streets.ts";
import { accountNumbers } from "../../src/store/fleet/accounts.ts";
import { saveDemoAccount } from "../../src/store/fleet/demo-accounts.ts";
import { startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { type Browser, portalOver } from "../support/portal.ts";
import { archiveOf, scratchFolder, tileTypeAt, withHeaderByte } from "../support/street-tiles.ts";

/** That no compression makes small. */
const text = Array.from({ length: 40 }, (_, index) => Bun.hash(`street ${index}`).toString(36)).join(" ");
const archive = archiveOf({ text, maxZoom: 2 });
const limits: UploadLimits = { maxBytes: 1e6, spareBytes: 0 };

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** What an owner uploads into, below a data directory. */
async function uploads(ofLimits = limits, clock?: () => number) {
  const directory = await scratchFolder();
  const folder = join(directory, "streets");
  const seen: string[] = [];
  const mapTiles = new MapTiles(folder, ({ kind }) => seen.push(kind), { mayBeEmpty: true });
  ends.push(
    () => rm(directory, { recursive: true }),
    () => mapTiles.close(),
  );
  const streets = new UploadedStreets(folder, mapTiles, ofLimits, clock);
  const there = () => readdir(folder).catch(() => []);
  return { folder, mapTiles, streets, seen, there };
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (cause) => cause,
  );
  expect(error).toBeInstanceOf(UploadRefused);
  return (error as UploadRefused).problem;
}

async function sendAll(streets: UploadedStreets, bytes: Uint8Array, fileName = "region.pmtiles") {
  const { id } = await streets.begin(fileName, bytes.length);
  for (let at = 0; at < bytes.length; at += 1000) await streets.write(id, at, bytes.subarray(at, at + 1000));
  return streets.finish(id);
}

describe("an uploaded archive", () => {
  test("is in use as soon as it is complete and checked, and no longer when it is removed", async () => {
    const { mapTiles, streets, seen, there } = await uploads();
    expect([await mapTiles.describe(), await mapTiles.hasProblem(), seen]).toEqual([null, false, []]);
    expect(await sendAll(streets, archive, "../../etc/Région du Nord.pmtiles")).toBe("etc-re-gion-du-nord.pmtiles");
    expect(await there()).toEqual(["etc-re-gion-du-nord.pmtiles"]);
    expect((await mapTiles.describe())?.maxZoom).toBe(2);
    expect((await mapTiles.tile(0, 0, 0)).outcome).toBe("tile");
    expect((await streets.files()).archives).toEqual([{ name: "etc-re-gion-du-nord.pmtiles", bytes: archive.length }]);
    expect(await streets.remove("../odograph.db")).toBe(false);
    expect(await streets.remove("etc-re-gion-du-nord.pmtiles")).toBe(true);
    expect([await mapTiles.describe(), await mapTiles.hasProblem()]).toEqual([null, false]);
    expect(seen).toEqual(["map_tiles_in_use"]);
  });

  test("takes the place of one by the same name, which is in use until then", async () => {
    const { mapTiles, streets } = await uploads();
    await sendAll(streets, archive);
    const before = (await mapTiles.describe())?.version;
    const next = archiveOf({ text: "other streets", maxZoom: 3 });
    const { id } = await streets.begin("region.pmtiles", next.length);
    await streets.write(id, 0, next);
    expect((await mapTiles.describe())?.version).toBe(before);
    await streets.finish(id);
    expect((await mapTiles.describe())?.maxZoom).toBe(3);
  });

  test("is refused if it is no map of streets: at its first bytes, as far as they say so", async () => {
    const { streets, there } = await uploads();
    const first = async (bytes: Uint8Array, all = bytes.length) => {
      const { id } = await streets.begin("a.pmtiles", all);
      return problemOf(streets.write(id, 0, bytes));
    };
    expect(await first(new TextEncoder().encode("<html>".repeat(40)))).toBe("no_archive");
    expect(await first(archive.subarray(0, 100))).toBe("cut_off");
    expect(await first(archive.subarray(0, 500), archive.length - 1)).toBe("cut_off");
    expect(await first(withHeaderByte(archive, tileTypeAt, 2))).toBe("no_vector_tiles");
    expect(await problemOf(sendAll(streets, archiveOf({ text: "x", maxZoom: 1, layers: ["water"] })))).toBe("no_roads");
    expect(await there()).toEqual([]);
  });

  test("is refused if one of its tiles cannot be read", async () => {
    const { streets } = await uploads();
    const broken = Uint8Array.from(archive).fill(7, archive.length - 20);
    expect(await problemOf(sendAll(streets, broken))).toBe("damaged");
  });

  test("comes in order; a piece whose answer was lost may come again", async () => {
    const { streets } = await uploads();
    const { id } = await streets.begin("a", archive.length);
    expect(await problemOf(streets.write(id, 5, archive.subarray(5, 9)))).toBe("out_of_order");
    await streets.write(id, 0, archive.subarray(0, 300));
    expect((await streets.write(id, 0, archive.subarray(0, 300))).received).toBe(300);
    expect(await problemOf(streets.write(id, 200, archive.subarray(200, 400)))).toBe("out_of_order");
    expect(await problemOf(streets.finish(id))).toBe("out_of_order");
    expect(await problemOf(streets.write(id, 300, new Uint8Array(archive.length)))).toBe("out_of_order");
    expect(await problemOf(streets.write(crypto.randomUUID(), 300, archive))).toBe("gone");
    expect((await streets.write(id, 300, archive.subarray(300))).received).toBe(archive.length);
    expect(await streets.finish(id)).toBe("a.pmtiles");
  });

  test("is bounded by a limit and by what the disk has, less what the store needs", async () => {
    const small = await uploads({ maxBytes: 100, spareBytes: 0 });
    expect(await problemOf(small.streets.begin("a", 101))).toBe("too_large");
    const full = await uploads({ maxBytes: 1e15, spareBytes: 1e18 });
    expect((await full.streets.files()).roomBytes).toBe(0);
    expect(await problemOf(full.streets.begin("a", 1))).toBe("no_room");
  });

  test("waits for the one before it, unless that has stopped", async () => {
    let now = 0;
    const { streets } = await uploads(limits, () => now);
    const { id } = await streets.begin("a", archive.length);
    expect(await problemOf(streets.begin("b", 10))).toBe("busy");
    now = 61_000;
    await streets.begin("b", 10);
    expect(await problemOf(streets.write(id, 0, archive))).toBe("gone");
  });

  test("leaves nothing behind when it is cancelled", async () => {
    const { streets, there } = await uploads();
    const { id } = await streets.begin("a", archive.length);
    await streets.write(id, 0, archive.subarray(0, 500));
    await streets.cancel(id);
    expect(await there()).toEqual([]);
    await sendAll(streets, archive);
  });
});

test("what an archive says of its makers is text and links to other sites, and nothing else", async () => {
  const { streets, mapTiles } = await uploads();
  const attribution =
    '<img src=x onerror=alert(1)><a href="javascript:alert(1)">No</a> © <a target="_blank" href="https://example.org/a?b=1">Maker</a><b>!</b>';
  await sendAll(streets, archiveOf({ text: "x", maxZoom: 1, attribution }));
  expect((await mapTiles.describe())?.attribution).toBe('No © <a href="https://example.org/a?b=1">Maker</a>!');
});

onEachEngine("streets in the portal", (engine) => {
  async function server(records: Parameters<typeof load>[1], streets?: UploadedStreets | "several_nodes") {
    const { database } = await engine.fresh();
    const api = await startApi(database);
    await load(database, records);
    return portalOver(database, api, streets === undefined ? {} : { streets });
  }
  const oneAccount = [smallFleet.acme, smallFleet.olga, smallFleet.ann];

  async function upload(person: Browser, bytes = archive) {
    const begun = await person.post("/fleet/streets/uploads", { file_name: "Berlin.pmtiles", bytes: bytes.length });
    if (begun.status !== 201) return begun;
    const path = `/fleet/streets/uploads/${begun.body.data.upload_id}`;
    const half = Math.floor(bytes.length / 2);
    for (const [at, piece] of [[0, bytes.slice(0, half)] as const, [half, bytes.slice(half)] as const]) {
      const written = await person.sendBytes(`${path}?at=${at}`, piece);
      if (written.status !== 200) return written;
    }
    return person.post(`${path}/finish`);
  }

  test("are uploaded and removed by the owner of the only account, and by nobody else", async () => {
    const { streets } = await uploads();
    const { signIn, browser } = await server(oneAccount, streets);
    const [olga, ann] = [await signIn(smallFleet.olga.email), await signIn(smallFleet.ann.email)];
    expect((await olga.get("/fleet/streets")).body.data).toEqual({
      by_operator: null,
      archives: [],
      room_bytes: expect.any(Number),
      piece_bytes: 1_000_000,
    });
    for (const [person, status] of [
      [ann, 403],
      [browser(), 401],
    ] as const) {
      const id = crypto.randomUUID();
      const answers = [
        await person.get("/fleet/streets"),
        await upload(person),
        await person.sendBytes(`/fleet/streets/uploads/${id}?at=0`, archive),
        await person.post(`/fleet/streets/uploads/${id}/finish`),
        await person.change("DELETE", `/fleet/streets/uploads/${id}`),
        await person.change("DELETE", "/fleet/streets/archives/berlin.pmtiles"),
      ];
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
    }
    const { status, body } = await upload(olga);
    expect([status, body.data.archives]).toEqual([200, [{ name: "berlin.pmtiles", bytes: archive.length }]]);
    const { body: log } = await olga.get("/fleet/log");
    expect(log.data[0]).toMatchObject({ action: "streets.added", id: "berlin.pmtiles" });
    for (const unknown of ["other.pmtiles", "..%2Fodograph.db", ".upload"])
      expect((await olga.change("DELETE", `/fleet/streets/archives/${unknown}`)).status).toBe(404);
    const removed = await olga.change("DELETE", "/fleet/streets/archives/berlin.pmtiles");
    expect([removed.status, removed.body.data.archives]).toEqual([200, []]);
  });

  test("say what is wrong with a file in a word that the page translates", async () => {
    const { streets } = await uploads();
    const { signIn } = await server(oneAccount, streets);
    const olga = await signIn(smallFleet.olga.email);
    const answer = await upload(olga, Uint8Array.from(archive).fill(0, 0, 7));
    expect([answer.status, answer.body.error]).toMatchObject([400, { code: "INVALID_REQUEST", problem: "no_archive" }]);
    await olga.post("/fleet/streets/uploads", { file_name: "a", bytes: 10 });
    const busy = await olga.post("/fleet/streets/uploads", { file_name: "b", bytes: 10 });
    expect([busy.status, busy.body.error.problem]).toEqual([409, "busy"]);
    for (const wrong of [{}, { file_name: "a" }, { file_name: "a", bytes: -1 }, { file_name: 7, bytes: 1.5 }])
      expect((await olga.post("/fleet/streets/uploads", wrong)).status).toBe(400);
  });

  test("stay the owner's beside a made-up fleet, which is nobody else's", async () => {
    const { streets } = await uploads();
    const { database } = await engine.fresh();
    const api = await startApi(database);
    await load(database, Object.values(smallFleet));
    const { signIn } = await portalOver(database, api, { streets });
    const olga = await signIn(smallFleet.olga.email);
    expect((await olga.get("/fleet/streets")).body.data.by_operator).toBe("several_accounts");
    const [own, ...others] = await accountNumbers(database);
    for (const { account_id } of others) {
      const made = {
        wanted_by: own?.account_id ?? null,
        wanted_at: 0,
        state_json: null,
        is_ready: true,
        ends_at: null,
      };
      const row = { id: crypto.randomUUID(), account_id, ...made };
      await database.transaction((tx) => saveDemoAccount(tx, row));
    }
    expect((await olga.get("/fleet/streets")).body.data.by_operator).toBeNull();
  });

  test("are the operator's where there are several accounts or nodes, or where they are configured", async () => {
    const { streets } = await uploads();
    const cases = [
      [Object.values(smallFleet), streets, "several_accounts"],
      [oneAccount, "several_nodes", "several_nodes"],
      [oneAccount, undefined, "configured"],
    ] as const;
    for (const [records, given, reason] of cases) {
      const { signIn } = await server(records, given);
      const olga = await signIn(smallFleet.olga.email);
      const expected = { by_operator: reason, archives: [], room_bytes: null, piece_bytes: 1_000_000 };
      expect((await olga.get("/fleet/streets")).body.data).toEqual(expected);
      expect((await upload(olga)).status).toBe(403);
    }
  });
});
