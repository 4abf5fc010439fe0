import { describe, expect, test } from "bun:test";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { renderReference } from "../../src/api/reference/page.ts";
import { startApi } from "../support/api.ts";
import { onOneEngine } from "../support/one-engine.ts";

const document = openApiDocument();
const page = renderReference(document);
const voidTags = ["meta", "link", "wbr", "input", "br", "rect", "path", "circle"];

/** What a reader sees, without the marks. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The part of the page about one operation. */
function articleOf(operationId: string): string {
  const start = page.indexOf(`<article aria-labelledby="${operationId}"`);
  expect(start, operationId).toBeGreaterThan(0);
  return page.slice(start, page.indexOf("</article>", start));
}

function attributes(name: string): string[] {
  return [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
}

function unbalancedTags(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
    if (voidTags.includes(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}

describe("the reference page", () => {
  test("describes every operation: its path, scope, parameters, a call and its answer, fields and errors", () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      const text = textOf(articleOf(get.operationId));
      expect(text).toContain(path);
      const needs = get.security
        ? "Needs no key"
        : get.responses[403]
          ? "Each type needs the scope of its list"
          : "any key";
      expect(text).toContain(get["x-required-scope"] ?? needs);
      const called = path.replace(/\{(\w+_id)\}/, (_, name: string) => name.toUpperCase()).replace("{kind}", "fuel");
      expect(text).toContain(`$BASE${called}`);
      for (const { name, description } of get.parameters ?? []) {
        expect(text).toContain(name);
        expect(text).toContain(description.replaceAll("`", ""));
      }
      for (const status of Object.keys(get.responses)) expect(text).toContain(status);
      const answer = get.responses["200"];
      const example = answer && "content" in answer ? answer.content?.["application/json"].example : undefined;
      for (const key of keysOf(example)) expect(text, `${path} ${key}`).toContain(key);
    }
  });

  test("has a row for every field of every record", () => {
    for (const route of Object.values(document.paths)) {
      const { operationId, responses } = route.get;
      const answer = responses["200"];
      const example = answer && "content" in answer ? answer.content?.["application/json"].example : undefined;
      const data = (example as { data?: unknown }).data;
      const record = Array.isArray(data) ? data[0] : data;
      const rows = attributes("id").filter((id) => id.startsWith(`${operationId}-field-`));
      for (const key of Object.keys(record ?? {})) {
        expect(
          rows.some((id) => id.endsWith(`-${key}`) || id.endsWith(`.${key}`)),
          `${operationId} ${key}`,
        ).toBe(true);
      }
    }
  });

  test("leads somewhere with every link, and gives no place two names", () => {
    const ids = attributes("id");
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = attributes("href").filter((href) => href.startsWith("#"));
    expect(anchors.length).toBeGreaterThan(100);
    expect(anchors.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
    for (const name of ["aria-labelledby", "popovertarget"]) {
      expect(attributes(name).filter((id) => !ids.includes(id))).toEqual([]);
    }
  });

  test("loads nothing from elsewhere and holds no script or style of its own", () => {
    const loaded = [...attributes("src"), ...attributes("href")].filter((address) => !address.startsWith("#"));
    const own = ["docs/icon.svg", "docs/reference.css", "docs/reference.js"];
    expect(new Set(loaded)).toEqual(
      new Set([...own, "v1/openapi.json", "docs/guide", "docs/clients/", "portal", "portal/keys"]),
    );
    expect(page).not.toMatch(/<style|<script(?! src=)|<(?:img|iframe|object|embed)|\sstyle=|\son[a-z]+=/i);
  });

  test("begins with a key from the portal, and has the portal's name and sign", async () => {
    const guide = page.slice(page.indexOf('<div class="guide">'));
    expect(guide.indexOf('<a href="portal/keys">Make a key in the portal</a>')).toBeLessThan(guide.indexOf("$KEY"));
    const logo = await Bun.file("src/portal/page/common/elements/icon.tsx").text();
    const shapes = [...logo.matchAll(/className="(logo-\w+)"(?: d="([^"]+)")?/g)];
    expect(shapes).toHaveLength(4);
    for (const [, name, path] of shapes) {
      expect(page).toContain(`class="${name}"${path === undefined ? "" : ` d="${path}"`}`);
    }
    expect(textOf(page.slice(page.indexOf('class="brand"'), page.indexOf("</nav>")))).toContain("Odograph");
  });

  test("is well-formed", () => {
    expect(unbalancedTags("<p><b></p></b><i>")).toEqual(["p", "b", "i"]);
    expect(unbalancedTags(page)).toEqual([]);
    expect(page).not.toContain("undefined");
    expect(page).not.toContain("[object");
  });
});

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

onOneEngine("the reference", (engine) => {
  test("is served with its style and script, under a policy that lets nothing else in", async () => {
    const { database } = await engine.fresh();
    const { api, close } = await startApi(database);
    const get = (path: string) => api.answer(new Request(`http://odograph.test${path}`), () => "127.0.0.1");
    const types = { "/docs": "text/html", "/docs/reference.css": "text/css", "/docs/reference.js": "text/javascript" };
    for (const [path, type] of Object.entries(types)) {
      const response = await get(path);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe(`${type}; charset=utf-8`);
      const policy = response.headers.get("Content-Security-Policy");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("connect-src 'self';");
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(response.headers.get("X-Request-Id")).not.toBeNull();
      expect(response.headers.get("X-RateLimit-Limit")).not.toBeNull();
      expect(text).not.toMatch(/url\(|@import|https?:\/\/(?!127\.0\.0\.1)/);
    }
    expect(await (await get("/docs")).text()).toBe(page);
    const icon = await get("/docs/icon.svg");
    expect(icon.headers.get("Content-Type")).toBe("image/svg+xml; charset=utf-8");
    expect(await icon.text()).toBe(await Bun.file("src/portal/page/icon.svg").text());
    await close();
  });
});
