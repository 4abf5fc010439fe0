import { expect, test } from "bun:test";
import { createRouter } from "../../src/http/router.ts";
import { pathAndQuery, urlParts } from "../../src/http/url.ts";

const place = (route: string, path: string, ...methods: string[]) => ({ methods, path, route });

const find = createRouter([
  place("list", "/things", "GET", "HEAD"),
  place("create", "/things", "POST"),
  place("one", "/things/{id}", "GET"),
  place("part", "/things/{id}/parts/{part}", "PUT"),
  place("rest", "/files/*", "GET"),
]);

test("a route is found by method and path, with the values of its path in their order", () => {
  expect(find("GET", "/things")).toEqual({ outcome: "found", route: "list", values: [] });
  expect(find("HEAD", "/things")).toEqual({ outcome: "found", route: "list", values: [] });
  expect(find("POST", "/things")).toEqual({ outcome: "found", route: "create", values: [] });
  expect(find("GET", "/things/7")).toEqual({ outcome: "found", route: "one", values: ["7"] });
  expect(find("PUT", "/things/7/parts/8")).toEqual({ outcome: "found", route: "part", values: ["7", "8"] });
  expect(find("GET", "/files/a//b%2F")).toEqual({ outcome: "found", route: "rest", values: ["a//b%2F"] });
  expect(find("GET", "/files/")).toEqual({ outcome: "found", route: "rest", values: [""] });
});

test("a path that is served by other methods names all of them, in the order of the routes", () => {
  const allowed = ["GET", "HEAD", "POST"];
  expect(find("DELETE", "/things")).toEqual({ outcome: "other methods", route: "list", allowed });
  // HEAD is served only where it is named.
  expect(find("HEAD", "/things/7")).toEqual({ outcome: "other methods", route: "one", allowed: ["GET"] });
  expect(find("get", "/things/7")).toEqual({ outcome: "other methods", route: "one", allowed: ["GET"] });
});

test("nothing is at any other path", () => {
  for (const path of [
    "",
    "/",
    "things",
    "/things/",
    "//things",
    "/things/7/",
    "/things/7/parts",
    "/files",
    "/Things",
  ]) {
    const isValue = path === "/things/";
    expect(find("GET", path)).toEqual(
      isValue ? { outcome: "found", route: "one", values: [""] } : { outcome: "nothing" },
    );
  }
  for (const path of ["/constructor", "/__proto__", "/things/{id}/parts"]) {
    expect(find("GET", path)).toEqual({ outcome: "nothing" });
  }
});

test("a pattern is no path: what stands for a value is one", () => {
  expect(find("GET", "/things/{id}")).toEqual({ outcome: "found", route: "one", values: ["{id}"] });
});

test("a value that cannot be read is a path that does not exist", () => {
  const strict = createRouter([place("one", "/things/{id}", "GET")], (text) =>
    /^\d+$/.test(text) ? `#${text}` : null,
  );
  expect(strict("GET", "/things/7")).toEqual({ outcome: "found", route: "one", values: ["#7"] });
  expect(strict("GET", "/things/x")).toEqual({ outcome: "nothing" });
  expect(strict("POST", "/things/x")).toEqual({ outcome: "nothing" });
  expect(strict("POST", "/things/7")).toEqual({ outcome: "other methods", route: "one", allowed: ["GET"] });
});

test("host, path and query are found in whatever the runtime makes of a request", () => {
  const known: [url: string, host: string, path: string, query: string][] = [
    ["http://fleet.test/v1/devices?limit=2", "fleet.test", "/v1/devices", "limit=2"],
    ["http://Fleet.test:80/a", "fleet.test", "/a", ""],
    ["https://fleet.test:443/a", "fleet.test", "/a", ""],
    ["http://fleet.test:8080/a", "fleet.test:8080", "/a", ""],
    ["http://[::1]:8081/a?", "[::1]:8081", "/a", ""],
    // What `new URL` throws at.
    ["http://1.2.3.4:99999/osmand?id=1", "1.2.3.4:99999", "/osmand", "id=1"],
    ["http://[::/osmand?id=1", "[::", "/osmand", "id=1"],
    ["http://%zz/a?b", "%zz", "/a", "b"],
    // HTTP/1.0, and a host that is none.
    ["/osmand?id=1&u=http://a/b?c", "", "/osmand", "id=1&u=http://a/b?c"],
    ["//x/a?b", "", "//x/a", "b"],
    ["/", "", "/", ""],
    // Neither is a fragment part of the path, nor what follows it a query.
    ["http://a.test/b?c#d?e", "a.test", "/b", "c"],
    ["http://a.test/b#d?e", "a.test", "/b", ""],
    ["/b#d", "", "/b", ""],
    // CONNECT.
    ["h:80", "", "h:80", ""],
    ["http://a.test", "a.test", "", ""],
    ["", "", "", ""],
  ];
  for (const [url, host, path, query] of known) {
    expect([url, urlParts(url)]).toEqual([url, { host, path, query }]);
    expect([url, pathAndQuery(url)]).toEqual([url, { path, query }]);
  }
});
