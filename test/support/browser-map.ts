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
