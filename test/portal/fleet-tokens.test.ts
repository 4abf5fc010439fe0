import { describe, expect, test } from "bun:test";
import { createIngestToken } from "../../src/access/ingest-tokens.ts";
import { ingestAddress, trackerAddress } from "../../src/portal/ingest-address.ts";
import {
  offeredWays,
  type PasteTarget,
  pastesOf,
  somePlace,
  trackerWays,
} from "../../src/portal/page/trackers/tracker-ways.ts";
import { sql } from "../../src/store/sql.ts";
import { startBroker } from "../support/broker.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { until } from "../support/patience.ts";
import { sharedPortal } from "../support/portal.ts";
import { fleetWithOwner, startPortalProgram } from "../support/portal-program.ts";

const nobodys = "00000000-0000-4000-8000-000000000000";
const minuteMs = 60_000;

onEachEngine("ingest tokens in the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("are made and shown once, listed without their secret, and revoked for good", async () => {
    const { signIn, store, users } = given();
    const olga = await signIn("olga@acme.example");
    const made = await olga.post("/fleet/tokens", { name: "  Gateway  " });
    expect(made.status).toBe(201);
    const { data, token, ingest } = made.body;
    expect(data).toEqual({
      token_id: data.token_id,
      name: "Gateway",
      prefix: token.slice(0, 12),
      created_at: data.created_at,
      last_used_at: null,
      revoked_at: null,
      still_sends: false,
    });
    expect(ingest).toEqual({ url: "http://odograph.test:8081", is_guess: true, is_loopback: false, mqtt: null });
    const listed = await olga.get("/fleet/tokens");
    expect(listed.body).toEqual({ data: [data], ingest });
    expect(listed.text).not.toContain(token);
    expect(JSON.stringify(await everyRow(store.database))).not.toContain(token.slice(12));

    const use = (at: number) =>
      store.database.transaction((tx) =>
        tx.run(sql`update ingest_tokens set last_used_at = ${at} where id = ${data.token_id}`),
      );
    const stillSends = async () => (await olga.get("/fleet/tokens")).body.data[0].still_sends;
    await use(Date.now() - 2 * minuteMs);
    expect(await stillSends()).toBe(true);
    await use(Date.now() - 60 * minuteMs);
    expect(await stillSends()).toBe(false);

    const revoked = await olga.post(`/fleet/tokens/${data.token_id}/revoke`);
    expect([revoked.status, revoked.body.data.revoked_at === null]).toEqual([200, false]);
    // Once more changes nothing, and is not logged again.
    expect((await olga.post(`/fleet/tokens/${data.token_id.toUpperCase()}/revoke`)).body).toEqual(revoked.body);
    const log = (await olga.get("/fleet/log?kind=trackers")).body.data;
    const logged = log.map(({ actor, action, id, name }: Record<string, unknown>) => [actor, action, id, name]);
    const actor = { kind: "user", id: users.olga.id, name: "Olga Orlova", is_removed: false };
    expect(logged).toEqual([
      [actor, "token.revoked", data.token_id, "Gateway"],
      [actor, "token.created", data.token_id, "Gateway"],
    ]);
  });

  test("of another account are not there", async () => {
    const { signIn, accounts, store } = given();
    const { token } = await createIngestToken(
      store.database,
      { accountId: accounts.polar.id, name: "Of Otto" },
      Date.now(),
    );
    const olga = await signIn("olga@acme.example");
    expect((await olga.get("/fleet/tokens")).text).not.toContain("Of Otto");
    for (const id of [token.id, nobodys, "nothing"]) {
      const { status, body } = await olga.post(`/fleet/tokens/${id}/revoke`);
      expect([id, status, body.error.message]).toEqual([id, 404, "there is no such token, or you cannot see it"]);
    }
    const otto = await signIn("otto@polar.example");
    const [listed] = (await otto.get("/fleet/tokens")).body.data;
    expect([listed.name, listed.revoked_at]).toEqual(["Of Otto", null]);
    const [logged] = (await otto.get("/fleet/log?kind=trackers")).body.data;
    expect([logged.actor.kind, logged.actor.id, logged.action]).toEqual(["command", null, "token.created"]);
  });

  test("need a name that can be shown", async () => {
    const olga = await given().signIn("olga@acme.example");
    for (const name of [undefined, 7, "", " ", "x".repeat(101), "a\0", "two\nlines", "x \u202e4202"]) {
      const { status, body } = await olga.post("/fleet/tokens", { name });
      expect([name, status, Object.keys(body.error.fields)]).toEqual([name, 400, ["name"]]);
    }
  });

  test("are a thousand at most, however many are made at once", async () => {
    const { signIn, accounts, store } = given();
    const { account_id } = accounts.polar;
    await store.database.transaction(async (tx) => {
      for (let number = 0; number < 998; number++) {
        await tx.run(sql`insert into ingest_tokens (account_id, id, name, prefix, secret_hash, created_at)
          values (${account_id}, ${crypto.randomUUID()}, 'many', 'odi', ${`hash ${number}`}, 1)`);
      }
    });
    const otto = await signIn("otto@polar.example");
    const made = await Promise.all([1, 2, 3].map((number) => otto.post("/fleet/tokens", { name: `One of ${number}` })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body.error.message).toBe(
      "this account has 1000 working tokens, and may have 1000; revoke those that are no longer used",
    );
  });
});

const { imei } = smallFleet.van;

onEachEngine("the lines to paste into a tracker", (engine) => {
  // What a tracker sends does not know the store. Here are several processes; with SQLite a browser pastes a line.
  if (engine.name === "sqlite") return;

  test("work when they are pasted: Traccar, Traccar Client, OsmAnd, OwnTracks, curl and a broker, until the token is revoked", async () => {
    const { database, env } = await engine.fresh();
    await load(database, Object.values(fleetWithOwner));
    const broker = await startBroker();
    const { program, call } = await startPortalProgram(env, "--mqtt", broker.url, "--workers", "2");
    try {
      const made = await call("POST", "/fleet/tokens", { name: "Gateway" });
      const values = { address: made.ingest, token: made.token, imei, place: somePlace };
      expect(made.ingest).toMatchObject({ is_guess: true, is_loopback: true, mqtt: { port: broker.port } });
      expect(offeredWays(made.ingest)).toEqual(trackerWays);
      const pastes = new Map<PasteTarget, string>();
      for (const way of trackerWays) {
        for (const { into, text } of pastesOf(way, values)) if (way !== "mqtt") pastes.set(into, text);
      }
      const text = (into: PasteTarget) => pastes.get(into) ?? "";
      /** The vehicle is where the last one has said. */
      const arrived = async (latitude: number) => {
        const latest = await call("GET", `/data/positions/latest?imei=${imei}`);
        return latest.data?.[0]?.latitude === latitude;
      };

      const entries = (xml: string) =>
        new Map(
          [...xml.matchAll(/<entry key='([^']+)'>([^<]*)<\/entry>/g)].map(([, key = "", value = ""]) => [key, value]),
        );
      const forward = async (xml: string, prefix: string, body: object) => {
        const config = entries(xml);
        expect(config.get(`${prefix}.type`)).toBe("json");
        const [name = "", value = ""] = (config.get(`${prefix}.header`) ?? "").split(": ");
        const url = config.get(`${prefix}.url`) ?? "";
        const sent = { method: "POST", headers: { [name]: value, "Content-Type": "application/json" } };
        return (await fetch(url, { ...sent, body: JSON.stringify(body) })).status;
      };
      const time = (aheadMs: number) => new Date(Date.now() + aheadMs).toISOString();
      const fix = {
        fixTime: time(-10 * minuteMs),
        deviceTime: time(-10 * minuteMs),
        valid: true,
        latitude: 52.521,
        longitude: 13.4,
        speed: 0,
      };
      const position = { id: 1, deviceId: 1, ...fix, attributes: {} };
      const device = { id: 1, uniqueId: imei };
      expect(await forward(text("traccar_positions"), "forward", { position, device })).toBe(200);
      await until(() => arrived(52.521));
      const event = { id: 1, type: "alarm", eventTime: time(-9 * minuteMs), deviceId: 1, attributes: { alarm: "sos" } };
      const alarm = { ...position, fixTime: time(-9 * minuteMs), deviceTime: time(-9 * minuteMs), latitude: 52.5215 };
      expect(await forward(text("traccar_events"), "event.forward", { event, device, position: alarm })).toBe(200);

      // Traccar Client adds its parameters to the address.
      const client = new URL(text("server_url"));
      const said = { id: text("identifier"), lat: "52.522", lon: "13.4", timestamp: time(-8 * minuteMs) };
      for (const [name, value] of Object.entries(said)) client.searchParams.set(name, value);
      expect((await fetch(client, { method: "POST" })).status).toBe(200);
      await until(() => arrived(52.522));

      const osmand = ["52.523", "13.4", String(Date.now() - 7 * minuteMs), "5", "30", "0", "90"];
      const webAddress = text("web_address").replace(/\{(\d)\}/g, (_, index) => osmand[Number(index)] ?? "");
      expect((await fetch(webAddress)).status).toBe(200);
      await until(() => arrived(52.523));

      const basic = Buffer.from(`${text("user_name")}:${text("password")}`).toString("base64");
      const location = { _type: "location", lat: 52.524, lon: 13.4, tst: Math.floor(Date.now() / 1000) - 360 };
      const owntracks = await fetch(text("url"), {
        method: "POST",
        headers: { Authorization: `Basic ${basic}`, "X-Limit-D": text("device_id"), "X-Limit-U": "phone" },
        body: JSON.stringify(location),
      });
      expect([owntracks.status, await owntracks.json()]).toEqual([200, []]);
      await until(() => arrived(52.524));

      const paste = async () => {
        const line = text("terminal").replace("52.52", "52.5245");
        const curl = Bun.spawn(["sh", "-c", line], { stdout: "pipe", stderr: "pipe" });
        return JSON.parse(await new Response(curl.stdout).text());
      };
      expect(await paste()).toEqual({ accepted: 1, duplicate: 0, refused: [] });
      await until(() => arrived(52.5245));

      const [topic, line] = pastesOf("mqtt", values).map((paste) => paste.text);
      // The line for a terminal, with another program in the place of mosquitto_pub.
      const written = Bun.spawn(["sh", "-c", (line ?? "").replace("mosquitto_pub", "printf '%s\\n'")], {
        stdout: "pipe",
      });
      const words = (await new Response(written.stdout).text()).trimEnd().split("\n");
      const after = (flag: string) => words[words.indexOf(flag) + 1] ?? "";
      expect([after("-t"), after("-h"), after("-p")]).toEqual([topic ?? "", "127.0.0.1", String(broker.port)]);
      const frame = { ...JSON.parse(after("-m")), latitude: 52.5246, recorded_at: time(5_000) };
      await broker.publish(after("-t"), frame);
      await until(() => arrived(52.5246));

      await call("POST", `/fleet/tokens/${made.data.token_id}/revoke`);
      await until(async () => (await paste()).error?.code === "INVALID_INGEST_TOKEN");
    } finally {
      await program.stop();
      await broker.stop();
    }
  });

  test("have the address that the operator set, from each process", async () => {
    const { database, env } = await engine.fresh();
    await load(database, Object.values(fleetWithOwner));
    const url = "https://ingest.example.com/fleet";
    const { program, call } = await startPortalProgram(
      env,
      ...["--ingest-url", `${url}/`, "--workers", "2", "--trackers", "gt06=0"],
    );
    try {
      for (let time = 0; time < 6; time++) {
        const { ingest } = await call("GET", "/fleet/tokens");
        expect(ingest).toEqual({ url, is_guess: false, is_loopback: false, mqtt: null });
        const { data } = await call("GET", "/fleet/tracker-address");
        expect(data).toMatchObject({ host: "ingest.example.com", is_guess: false, is_local: false });
        expect(data.ports.filter(({ port }: { port: number | null }) => port !== null)).toEqual([
          { protocol: "gt06", port: expect.any(Number), usual_port: 5023 },
        ]);
      }
    } finally {
      await program.stop();
    }
  });
});

describe("the address that trackers send to", () => {
  const nowhere = { url: null, port: 1, mqtt: null, trackerPorts: {} };
  const at = (host: string, headers: Record<string, string> = {}) => new Request(`http://${host}/portal`, { headers });

  test("is the one that is set, else a guess by the portal's own", () => {
    const place = { ...nowhere, port: 9081 };
    const url = (request: Request, set: string | null = null) => ingestAddress({ ...place, url: set }, request).url;
    expect(url(at("fleet.example:8080"))).toBe("http://fleet.example:9081");
    expect(url(at("[2001:db8::7]:8080"))).toBe("http://[2001:db8::7]:9081");
    expect(url(at("127.0.0.1:1", { "X-Forwarded-Host": "fleet.example" }))).toBe("http://fleet.example:9081");
    expect(url(at("fleet.example"), "https://ingest.example/odograph")).toBe("https://ingest.example/odograph");
    expect(url(at("fleet.example", { "X-Forwarded-Host": "a b<c>" }))).toBe("http://localhost:9081");
  });

  test("says whether only this machine reaches it", () => {
    const isLoopback = (url: string) => ingestAddress({ ...nowhere, url }, at("fleet.example")).is_loopback;
    for (const url of ["http://localhost:1", "http://127.8.0.1:1", "http://[::1]:1", "http://x.localhost"])
      expect([url, isLoopback(url)]).toEqual([url, true]);
    for (const url of ["http://10.0.0.1:1", "https://localhost.example", "http://[2001:db8::1]"])
      expect([url, isLoopback(url)]).toEqual([url, false]);
  });

  test("of those that call by themselves is a name for an SMS, and says who reaches it", () => {
    const place = { ...nowhere, trackerPorts: { teltonika: 5027, gt06: 6023 } };
    const address = (host: string, url: string | null = null, publicUrl: string | null = null) =>
      trackerAddress({ ...place, url }, publicUrl, at(host));
    const { ports, ...where } = address("fleet.example:8080");
    expect(where).toEqual({ host: "fleet.example", is_guess: true, is_local: false });
    expect(ports.map(({ protocol, port, usual_port }) => [protocol, port, usual_port])).toEqual([
      ["gt06", 6023, 5023],
      ["jt808", null, 5015],
      ["h02", null, 5013],
      ["gps103", null, 5001],
      ["tk103", null, 5002],
      ["teltonika", 5027, 5027],
      ["queclink", null, 5004],
      ["suntech", null, 5011],
      ["meitrack", null, 5020],
      ["wialon", null, 5039],
      ["ruptela", null, 5046],
      ["topflytech", null, 5094],
      ["galileosky", null, 5034],
    ]);
    const [ingest, portal] = ["https://ingest.example/odograph", "https://portal.example"];
    expect(address("10.0.0.1", null, portal)).toMatchObject({ host: "portal.example", is_guess: false });
    expect(address("10.0.0.1", ingest, portal)).toMatchObject({ host: "ingest.example", is_guess: false });
    expect(address("[2001:db8::7]:8080")).toMatchObject({ host: "2001:db8::7", is_local: false });
    const unknown = trackerAddress(null, null, at("fleet.example"));
    expect(unknown.ports.some(({ port }) => port !== null)).toBe(false);
    for (const host of ["localhost", "127.0.0.1", "[::1]", "10.1.2.3", "172.31.0.1", "192.168.1.5", "[fd00::1]"])
      expect([host, address(host).is_local]).toEqual([host, true]);
    for (const host of ["172.32.0.1", "203.0.113.9", "10.example"])
      expect([host, address(host).is_local]).toEqual([host, false]);
  });

  test("may hold what XML and a shell would take for their own", () => {
    const address = { url: "https://ingest.example/a'b&c", is_guess: false, is_loopback: false, mqtt: null };
    const values = { address, token: "t", imei, place: somePlace };
    const [xml, line] = [pastesOf("traccar", values)[0]?.text ?? "", pastesOf("curl", values)[0]?.text ?? ""];
    expect(xml).toContain("https://ingest.example/a'b&amp;c/traccar/positions");
    const { stdout } = Bun.spawnSync(["sh", "-c", line.replace("curl", "printf '%s\\n'")]);
    expect(stdout.toString().split("\n")[4]).toBe("https://ingest.example/a'b&c/frames");
  });
});
