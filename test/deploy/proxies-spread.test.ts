import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startCaddy } from "../../bench/drills/support/caddy.ts";
import { startHaproxy } from "../../bench/drills/support/haproxy.ts";
import { type RunningProxy, startNginx } from "../../bench/drills/support/nginx.ts";
import { until } from "../support/patience.ts";

// What documents and deploy/ say of several nodes. Which node got a request is all that matters here, so the nodes only
// say their name.
const starters = { nginx: startNginx, caddy: startCaddy, haproxy: startHaproxy } as const;
const names = (["nginx", "caddy", "haproxy"] as const).filter((name) => {
  if (Bun.which(name) === null) console.warn(`not run, for want of it: several nodes behind ${name}`);
  return Bun.which(name) !== null;
});

const headersSeen: Headers[] = [];
const nodes = ["one", "two", "three"].map((name) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url, headers }) {
      if (!/\/(ready|health)$/.test(url)) headersSeen.push(headers);
      return new Response(name);
    },
  }),
);
const proxies = new Map<string, RunningProxy>();

beforeAll(async () => {
  const backends = nodes.map(({ url }) => ({ url: url.href, ingestUrl: url.href }));
  for (const name of names) proxies.set(name, await starters[name](backends));
});
afterAll(async () => {
  await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
  await Promise.all(nodes.map((node) => node.stop(true)));
});

const bearer = (token: string): RequestInit => ({ method: "POST", headers: { Authorization: `Bearer ${token}` } });
const basic = (token: string): RequestInit => ({
  method: "POST",
  headers: { Authorization: `Basic ${btoa(`phone:${token}`)}` },
});

/** Every way in which a sender says who it is: a path with its query, and the rest of a request. */
const ways: Readonly<Record<string, (token: string, turn: number) => readonly [string, RequestInit]>> = {
  "a gateway": (token) => ["/frames", bearer(token)],
  Traccar: (token, turn) => [turn % 2 === 0 ? "/traccar/positions" : "/traccar/events", bearer(token)],
  OwnTracks: (token) => ["/owntracks", basic(token)],
  "OsmAnd and older Traccar Clients": (token, turn) => [`/osmand?token=${token}&id=35630704244101${turn}&lat=52`, {}],
  "a token behind other parameters": (token, turn) => [`/osmand?lat=5${turn}&token=${token}`, {}],
  "newer Traccar Clients": (token) => [`/osmand?token=${token}`, { method: "POST", body: "{}" }],
};

describe.each(names)("%s before several nodes", (name) => {
  const proxy = () => proxies.get(name) as RunningProxy;
  const nodeOf = async (path: string, init: RequestInit) => (await fetch(proxy().ingestUrl + path, init)).text();

  test.each(Object.keys(ways))("keeps each sender with a node, and spreads senders: %s", async (way) => {
    const sent = ways[way] as (typeof ways)[string];
    const all = ["one", "three", "two"];
    // A proxy that asks for health does not use a node before its first answer.
    const used = async () => [
      ...new Set(await Promise.all(Array.from({ length: 40 }, (_, index) => nodeOf(...sent(`odi_spread${index}`, 0))))),
    ];
    await until(async () => (await used()).toSorted().join() === all.join());
    for (let sender = 0; sender < 8; sender++) {
      const turns = Array.from({ length: 9 }, (_, turn) => nodeOf(...sent(`odi_sender${sender}`, turn)));
      expect(new Set(await Promise.all(turns)).size).toBe(1);
    }
  });

  test("passes on the credentials of a sender", async () => {
    headersSeen.length = 0;
    await nodeOf("/frames", bearer("odi_x"));
    expect(headersSeen.map((headers) => headers.get("authorization"))).toEqual(["Bearer odi_x"]);
  });
});
