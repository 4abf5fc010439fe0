import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type FleetApi, sharedFleetApi } from "../support/fleet-api.ts";

const url = "http://odograph.test/v1/positions/latest";

function ask({ api }: FleetApi, key: string, tag: string | null, init: RequestInit = {}) {
  const headers = { "X-API-Key": key, ...(tag === null ? {} : { "If-None-Match": tag }) };
  return api.api.answer(new Request(url, { ...init, headers }), () => "127.0.0.1");
}

/** Everything but what differs from call to call. */
function sameOf({ status, headers }: Response) {
  const own = new Set(["x-request-id", "x-ratelimit-remaining-second", "x-ratelimit-reset", "date"]);
  return [status, [...headers].filter(([name]) => !own.has(name)).sort()];
}

/** Asks until an answer came without a promise. Commits of other tests may be in between. */
async function polledAtOnce(given: FleetApi, key: string, tag: string): Promise<Response> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = ask(given, key, tag);
    if (answer instanceof Response) return answer;
    await answer;
  }
  throw new Error("no poll was answered at once");
}

/** The same store as if it were on many machines: the limiter does not read the counters then. */
function spreadOver(database: Database, note: (text: string) => void): Database {
  const all: Database["all"] = (query) => {
    note(query.text);
    return database.all(query);
  };
  const change: Database["change"] = (query) => {
    note(query.text);
    return database.change(query);
  };
  return {
    engine: database.engine,
    isDistributed: true,
    all,
    change,
    get: (query) => database.get(query),
    transaction: (work) => database.transaction(work),
    commits: () => database.commits(),
    purge: (tables) => database.purge(tables),
    ping: () => database.ping(),
    close: () => database.close(),
  };
}

onEachEngine("a poll", (engine) => {
  const given = sharedFleetApi(engine);
  const isEmbedded = () => given().database.engine === "sqlite";

  test("is answered without a promise where nothing has to be read, and as the ordinary path answers it", async () => {
    const key = await given().key();
    const tag = (await ask(given(), key, null)).headers.get("ETag") ?? "";
    const ordinary = await ask(given(), key, `"other", ${tag}`);
    expect(ordinary.status).toBe(304);
    if (!isEmbedded()) {
      expect(sameOf(await ask(given(), key, tag))).toEqual(sameOf(ordinary));
      expect((await ask(given(), key, `${tag.slice(0, -1)}-gzip"`)).status).toBe(304);
      expect(ask(given(), key, tag)).toBeInstanceOf(Promise);
      return;
    }
    expect(sameOf(await polledAtOnce(given(), key, tag))).toEqual(sameOf(ordinary));
    expect(sameOf(await polledAtOnce(given(), key, `W/${tag}`))).toEqual(sameOf(ordinary));
    const compressed = `${tag.slice(0, -1)}-gzip"`;
    expect((await polledAtOnce(given(), key, compressed)).headers.get("ETag")).toBe(compressed);
    // Everything else takes the ordinary path.
    for (const other of [null, "*", `"other"`, `"other", ${tag}`]) {
      expect(ask(given(), key, other)).toBeInstanceOf(Promise);
    }
    expect(ask(given(), key, tag, { method: "POST" })).toBeInstanceOf(Promise);
  });

  test("on many machines is answered as elsewhere, until something changes", async () => {
    const { database, key, node, fleet } = given();
    if (database.engine === "sqlite") return;
    const statements: string[] = [];
    const spread = spreadOver(database, (text) => statements.push(text));
    const many: FleetApi = { ...given(), api: await node(spread) };
    const secret = await key();
    const tag = (await ask(many, secret, null)).headers.get("ETag") ?? "";
    const ordinary = await ask(many, secret, `"other", ${tag}`);
    expect(ordinary.status).toBe(304);
    statements.length = 0;
    expect(sameOf(await ask(many, secret, tag))).toEqual(sameOf(ordinary));
    // What the call uses of its limits, and the viewer's counters.
    expect(statements).toHaveLength(2);
    await database.transaction((tx) =>
      tx.run(sql`update viewer_revisions set revision = revision + 1 where account_id = ${fleet.acme.account_id}`),
    );
    statements.length = 0;
    expect((await ask(many, secret, tag)).status).toBe(304);
    // The ordinary path goes on with what was asked, and reads the page.
    expect(statements.filter((text) => text.includes("from viewer_revisions v"))).toHaveLength(1);
  });

  test("counts as a request of the second, never of the day, and is refused when the second is used up", async () => {
    const { key, api } = given();
    const secret = await key({ perSecond: 2, perDay: 100 });
    const tag = (await ask(given(), secret, null)).headers.get("ETag") ?? "";
    const statuses: number[] = [];
    // More calls than a second has are made within one of these seconds.
    while (statuses.length < 40 || !statuses.includes(429)) {
      const answer = await ask(given(), secret, tag);
      statuses.push(answer.status);
      if (answer.status !== 429) expect(answer.headers.get("X-RateLimit-Remaining")).toBe("99");
      else {
        const { error, request_id } = (await answer.json()) as { error: { code: string }; request_id: string };
        expect([error.code, answer.headers.get("Retry-After")]).toEqual(["RATE_LIMITED", "1"]);
        const fact: unknown = api.observations.find((one) => "requestId" in one && one.requestId === request_id);
        expect(fact).toMatchObject({ kind: "request_refused", route: "/positions/latest", keyId: expect.any(String) });
      }
    }
    expect(statuses).toContain(304);
  });

  test("needs the key and the scope like any other call", async () => {
    const { key } = given();
    const secret = await key();
    const narrow = await key({ scopes: ["devices:read"] });
    const tag = (await ask(given(), secret, null)).headers.get("ETag") ?? "";
    for (let count = 0; count < 3; count++) {
      expect((await ask(given(), secret, tag)).status).toBe(304);
      expect((await ask(given(), narrow, tag)).status).toBe(403);
      expect((await ask(given(), `${secret}x`, tag)).status).toBe(401);
    }
  });
});
