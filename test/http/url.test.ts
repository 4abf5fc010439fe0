import { expect, test } from "bun:test";
import { pathAndQuery, urlParts } from "../../src/http/url.ts";

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
