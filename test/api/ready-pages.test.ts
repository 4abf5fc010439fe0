import { expect, test } from "bun:test";
import { ReadyPages } from "../../src/api/cache/api-cache.ts";

const empty = new TextEncoder().encode('{"data":[],"next_cursor":null}');
const emptyPage = () => ({ bytes: empty.slice(), next: null, showsNext: true });

test("pages are counted with all they take: as many empty ones as anyone may ask for do not fill the memory", async () => {
  const pages = new ReadyPages({ isTagged: true });
  const asked = 101_000;
  const longGone = 1_000;
  for (let page = 0; page < asked; page++) await pages.page(`viewer ${page}`, 1, async () => emptyPage());
  expect(pages.weight).toBeLessThanOrEqual(64 * 1024 * 1024);
  // Some hundred bytes each: the body is the least of it.
  let made = 0;
  const again = async () => {
    made++;
    return emptyPage();
  };
  for (let page = 0; page < longGone; page++) await pages.page(`viewer ${page}`, 1, again);
  expect(made).toBe(longGone);
});

test("a page that is asked for again and again stays, however many others come; the others go one by one", async () => {
  const pages = new ReadyPages({ isTagged: false });
  const megabyte = async () => ({ bytes: new Uint8Array(1024 * 1024), next: null, showsNext: true });
  const first = await pages.page("polled", 1, megabyte);
  for (let page = 0; page < 200; page++) {
    expect(await pages.page("polled", 1, megabyte)).toBe(first);
    const before = pages.weight;
    await pages.page(`other ${page}`, 1, megabyte);
    expect(pages.weight).toBeGreaterThanOrEqual(before);
  }
});
