import { describe, expect, test } from "bun:test";
import { guidePlace } from "../../src/api/guide/addresses.ts";
import { contentsPath, readDocuments } from "../../src/api/guide/documents.ts";
import { anchorMaker, documentPartsOf, linksOf, renderMarkdown } from "../../src/api/guide/markdown.ts";
import { markdownAddress } from "../../src/api/guide/markdown-pages.ts";
import { renderSearch } from "../../src/api/guide/search.ts";
import { makeSite, renderDocument } from "../../src/api/guide/site.ts";
import { startApi } from "../support/api.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { readRepository } from "../support/source-tree.ts";

const documents = await readDocuments();
const site = makeSite(documents);
const pages = new Map([...site.documentAt].map(([place, path]) => [addressOf(place), renderDocument(site, path)]));

function addressOf(place: string): string {
  return place === "" ? "/docs/guide" : `/docs/guide/${place}`;
}

function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&#39;", "'"),
  );
}

/** What a reader sees of the document itself, without its code. */
function proseOf(page: string): string {
  return page
    .slice(page.indexOf("<main"), page.indexOf("</main>"))
    .replace(/<(pre|code)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, "");
}

describe("the guide", () => {
  test("has every document of the repository that a reader could want", async () => {
    const repository = await readRepository();
    const wanted = [...repository.keys()].filter((path) => /^(?:docs\/.*|[A-Z]+|examples\/README)\.md$/.test(path));
    expect(wanted.filter((path) => !documents.has(path))).toEqual([]);
    expect(new Set([...documents.keys()].map(guidePlace)).size).toBe(documents.size);
    const listed = site.groups.flatMap(({ pages: group }) => group.map(({ path }) => path));
    const own = [...documents.keys()].filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== contentsPath);
    expect(own.filter((path) => !listed.includes(path))).toEqual([]);
  });

  test("leaves no Markdown in a page, and no hole", () => {
    for (const [address, page] of pages) {
      expect([address, proseOf(page).match(/\*\*|^\s*\|.*\||\]\(|^#+ |undefined|\[object|```/m)?.[0]]).toEqual([
        address,
        undefined,
      ]);
      expect(page).not.toMatch(/<style|<script(?! src=)|<(?:iframe|object|embed)|\sstyle=|\son[a-z]+="/i);
    }
  });

  test("has no link that leads nowhere", () => {
    let followed = 0;
    for (const [address, page] of pages) {
      const links = [...attributes(page, "href"), ...attributes(page, "src")].filter((link) => !/^[a-z]+:/.test(link));
      for (const link of links) {
        const { pathname, hash } = new URL(link, `http://odograph.test${address}`);
        if (!pathname.startsWith("/docs/guide") || /^\/docs\/guide(?:\.css|\.js|\/search)$/.test(pathname)) {
          expect([
            "/docs",
            "/portal",
            "/docs/icon.svg",
            "/docs/guide.css",
            "/docs/guide.js",
            "/docs/guide/search",
          ]).toContain(pathname);
          continue;
        }
        const isThere = pages.has(pathname) || site.fileAt.has(pathname.slice("/docs/guide/".length));
        expect([address, link, isThere]).toEqual([address, link, true]);
        const ids = attributes(pages.get(pathname) ?? "", "id");
        if (hash !== "")
          expect([address, link, ids.includes(decodeURIComponent(hash.slice(1)))]).toEqual([address, link, true]);
        followed++;
      }
    }
    expect(followed).toBeGreaterThan(1000);
  });

  test("escapes all text, and shows HTML instead of running it", () => {
    const links = { toPage: (link: string) => link, toImage: (source: string) => source };
    const markdown = '# <b>A</b> & `<c>`\n\n<script>x</script>\n\n[a"b](x"y) ![i"j](p"q)\n\n```sh\n<d> & e\n```\n';
    const { text } = renderMarkdown(markdown, links);
    expect(text).not.toMatch(/<(?:script|b|c|d)>/);
    expect(text).toContain("&lt;script&gt;");
    expect(text).toContain("<code>&lt;d&gt; &amp; e</code>");
    expect(attributes(text, "alt")).toEqual(["i&quot;j"]);
    expect(text).not.toMatch(/"(?:y|q)/);
  });

  test("names the second heading of a name apart, as its anchors say", () => {
    const anchorOf = anchorMaker();
    expect(["A `b`, c", "Same", "Same"].map(anchorOf)).toEqual(["a-b-c", "same", "same-1"]);
    expect(documentPartsOf("# A\nx\n## Same\ny `z`\n## Same\n")).toEqual([
      { level: 1, heading: "A", anchor: "a", text: "x" },
      { level: 2, heading: "Same", anchor: "same", text: "y z" },
      { level: 2, heading: "Same", anchor: "same-1", text: "" },
    ]);
  });
});

describe("the guide's search", () => {
  const find = (query: string) => {
    const page = renderSearch(site, site.entries(), query);
    const results = page.slice(page.indexOf('<ol class="results">'));
    return { page, links: attributes(results, "href").filter((link) => link.includes("/guide/")) };
  };

  test("finds every heading by its own words", () => {
    const lost = site.entries().filter(({ name, document, anchor, kind }) => {
      const link = `../../docs/guide/${guidePlace(document)}${kind === "page" ? "" : `#${anchor}`}`;
      return !find(name).links.includes(link);
    });
    // Names that many pages have, such as "Choice" of every decision, are not all on the first page of results.
    const once = lost.filter(({ name }) => site.entries().filter((entry) => entry.name.includes(name)).length < 15);
    expect(once.map(({ document, name }) => `${document} ${name}`)).toEqual([]);
  });

  test("finds commands, settings, errors, endpoints, and the words of a question", () => {
    for (const [query, expected] of [
      ["odograph backup", "cli#odograph-backup"],
      ["ODOGRAPH_DRAIN_SECONDS", "cli#settings"],
      ["CURSOR_EXPIRED", "api#errors"],
      ["/positions/latest", "api#"],
      ["How do I restore a backup?", "operations#backup-and-restore"],
      ["upgrade", "operations#upgrade"],
    ] as const) {
      expect([
        query,
        find(query)
          .links.slice(0, 5)
          .some((link) => link.includes(expected)),
      ]).toEqual([query, true]);
    }
  });

  test("takes anything, and shows it back escaped and cut", () => {
    for (const query of [
      "",
      "   ",
      "zzzzqqqq",
      "(",
      "[a-",
      "\\",
      "<script>alert(1)</script>",
      "🚚",
      "x ".repeat(5_000),
      '" onfocus="x',
    ]) {
      const { page } = find(query);
      expect(page).not.toMatch(/<script>|<script(?! src=)|" onfocus="x/);
      expect(page.length).toBeLessThan(60_000);
      if (query === "zzzzqqqq") expect(page).toContain('<a href="../../docs">API reference</a>, which');
    }
  });
});

onOneEngine("the guide", (engine) => {
  test("is served with its pictures, under the reference's policy, and says what is not there", async () => {
    const { database } = await engine.fresh();
    const { api, close } = await startApi(database);
    const ask = (path: string, init: RequestInit = {}) =>
      api.answer(new Request(`http://odograph.test${path}`, init), () => "127.0.0.1");
    for (const [path, status, type] of [
      ["/docs/guide", 200, "text/html; charset=utf-8"],
      ["/docs/guide/operations", 200, "text/html; charset=utf-8"],
      ["/docs/guide/decisions/0001-bun", 200, "text/html; charset=utf-8"],
      ["/docs/guide/search?q=backup", 200, "text/html; charset=utf-8"],
      ["/docs/guide/images/portal-map.png", 200, "image/png"],
      ["/docs/guide.css", 200, "text/css; charset=utf-8"],
      ["/docs/guide.js", 200, "text/javascript; charset=utf-8"],
      ["/docs/guide/deploy/caddy/Caddyfile", 200, "text/plain; charset=utf-8"],
      ["/docs/guide/package.json", 404, "text/html; charset=utf-8"],
      ["/docs/guide/", 302, null],
      ["/docs/guide/operations.md", 200, "text/markdown; charset=utf-8"],
      ["/docs/guide/decisions/0001-bun.md", 200, "text/markdown; charset=utf-8"],
      ["/docs/guide/decisions.md", 200, "text/markdown; charset=utf-8"],
      ["/docs/guide.md", 200, "text/markdown; charset=utf-8"],
      ["/llms.txt", 200, "text/plain; charset=utf-8"],
      ["/docs/guide/nothing.md", 404, "text/html; charset=utf-8"],
      ["/docs/guide/decisions/README.md", 302, null],
      ["/docs/guide/ARCHITECTURE.md", 302, null],
      ["/docs/guide/nothing", 404, "text/html; charset=utf-8"],
      ["/docs/guide/images/nothing.png", 404, "text/html; charset=utf-8"],
      ["/docs/guide/..%2f..%2fpackage.json", 404, "text/html; charset=utf-8"],
      ["/docs/guide/__proto__", 404, "text/html; charset=utf-8"],
    ] as const) {
      const response = await ask(path);
      expect([path, response.status, response.headers.get("Content-Type")]).toEqual([path, status, type]);
      if (status === 302) {
        // Also behind a proxy that adds a path of its own.
        const there = new URL(response.headers.get("Location") ?? "", `http://odograph.test/fleet${path}`);
        expect((await ask(there.pathname.replace(/^\/fleet/, ""))).status).toBe(200);
        expect(there.pathname).toStartWith("/fleet/docs/guide");
        continue;
      }
      expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      const again = await ask(path, { headers: { "If-None-Match": response.headers.get("ETag") ?? "none" } });
      expect([path, again.status]).toEqual([path, response.headers.has("ETag") ? 304 : status]);
      expect((await ask(path, { method: "POST" })).status).toBe(405);
    }
    expect((await ask("/docs/guide.html")).status).toBe(404);
    await close();
  });

  test("is Markdown for assistants: /llms.txt leads to every page, and no link to nothing", async () => {
    const { database } = await engine.fresh();
    const { api, close } = await startApi(database);
    const ask = (path: string) => api.answer(new Request(`http://odograph.test${path}`), () => "127.0.0.1");
    const read = new Map<string, string>();
    const visit = async (address: string): Promise<void> => {
      if (read.has(address)) return;
      read.set(address, "");
      const response = await ask(address);
      expect([address, response.status]).toEqual([address, 200]);
      const text = await response.text();
      read.set(address, text);
      if (!/\.(?:md|txt)$/.test(address)) return;
      for (const link of linksOf(text)) {
        const { pathname, host } = new URL(link, `http://odograph.test${address}`);
        if (host === "odograph.test") await visit(pathname);
      }
    };
    await visit("/llms.txt");
    expect(read.get("/llms.txt")).toStartWith("# Odograph\n\n> Fleet tracking service");
    const written = [...documents.keys()].map(markdownAddress);
    expect([...read.keys()].filter((address) => address.endsWith(".md")).toSorted()).toEqual(written.toSorted());
    for (const [path, text] of documents) {
      const headings = (markdown: string) =>
        documentPartsOf(markdown).map(({ heading, text: words }) => [heading, words]);
      expect(headings(read.get(markdownAddress(path)) ?? "")).toEqual(headings(text));
    }
    await close();
  });
});
