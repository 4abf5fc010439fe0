/** Files that the bundler puts beside the page; what is imported is their address. */
declare module "*/maplibre-gl-worker.mjs" {
  const address: string;
  export default address;
}

declare module "maplibre-gl/dist/maplibre-gl.css" {
  const address: string;
  export default address;
}

declare module "world-atlas/countries-50m.json" {
  const address: string;
  export default address;
}
