import address from "maplibre-gl/dist/maplibre-gl.css" with { type: "file" };

/**
 * MapLibre's own style, loaded with the first map. Imported as a style it would be part of every page, because the bundler
 * puts all styles into one file. First in the head: our rules go before its own.
 */
const sheet = document.createElement("link");
sheet.rel = "stylesheet";
sheet.href = address;
document.head.prepend(sheet);
