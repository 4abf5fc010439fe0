import type { Page } from "playwright-core";

/** Waits until all that the map is to show now is drawn. */
export async function drawn(page: Page): Promise<void> {
  // What was asked of the map just now begins with its next frame.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  await page.locator("[data-map=ready][data-drawn=true]").waitFor();
}

/** The same of the map of all vehicles, which moves to them when they have come. */
export async function vehiclesDrawn(page: Page): Promise<void> {
  await page.locator(".vehicle").first().waitFor();
  await drawn(page);
}

/**
 * How much of a map a test needs. To draw one takes three seconds of the processor on a machine without a graphics card.
 * `undrawn`: it is there, and answers clicks, but draws nothing, and the world has no coasts: a third of the time.
 * `none`: the browser cannot draw maps.
 */
export type MapIs = "drawn" | "undrawn" | "none";

/** Run in the page before its own scripts. */
export const mapScripts: Readonly<Record<Exclude<MapIs, "drawn">, string>> = {
  undrawn: `{
    for (const draw of ["clear", "drawArrays", "drawElements"]) WebGL2RenderingContext.prototype[draw] = () => {};
    const { fetch } = window;
    window.fetch = (input, init) =>
      /countries-50m/.test(input) ? Promise.resolve(Response.json({ land: [], borders: [], cities: [] })) : fetch(input, init);
  }`,
  none: `
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
    };`,
};
