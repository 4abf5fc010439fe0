import type { LineLayerSpecification } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";

/** Pixels by zoom. Between two zooms a road grows like the map under it. */
type Widths = readonly (readonly [zoom: number, pixels: number])[];

/** The kinds of roads, those that are drawn first below the others. */
interface RoadClass {
  readonly id: string;
  readonly filter: unknown;
  readonly minzoom: number;
  readonly widths: Widths;
  /** Wider by this on each side, in the colour of the edge. */
  readonly edgePixels: number;
  readonly colour: (streets: MapTheme["streets"]) => string;
  readonly edge: (streets: MapTheme["streets"]) => string;
}

const kind = (name: string) => ["==", ["get", "kind"], name];
const detail = (...names: string[]) => ["in", ["get", "kind_detail"], ["literal", names]];

const classes: readonly RoadClass[] = [
  {
    id: "service",
    filter: ["all", kind("minor_road"), detail("service")],
    minzoom: 13,
    widths: [
      [13, 0.5],
      [15, 2],
      [18, 10],
    ],
    edgePixels: 0.75,
    colour: ({ minor }) => minor,
    edge: ({ edge }) => edge,
  },
  {
    id: "minor",
    filter: ["all", kind("minor_road"), ["!", detail("service")]],
    minzoom: 11,
    widths: [
      [11, 0.4],
      [13, 1.5],
      [15, 4.5],
      [18, 18],
    ],
    edgePixels: 0.75,
    colour: ({ minor }) => minor,
    edge: ({ edge }) => edge,
  },
  {
    id: "secondary",
    filter: ["all", kind("major_road"), ["!", detail("trunk", "primary")]],
    minzoom: 6,
    widths: [
      [6, 0.3],
      [9, 1],
      [12, 2.2],
      [15, 6.5],
      [18, 22],
    ],
    edgePixels: 0.8,
    colour: ({ major }) => major,
    edge: ({ edge }) => edge,
  },
  {
    id: "primary",
    filter: ["all", kind("major_road"), detail("trunk", "primary")],
    minzoom: 6,
    widths: [
      [6, 0.5],
      [9, 1.4],
      [12, 3],
      [15, 8],
      [18, 25],
    ],
    edgePixels: 0.9,
    colour: ({ major }) => major,
    edge: ({ edge }) => edge,
  },
  {
    id: "highway",
    filter: kind("highway"),
    minzoom: 3,
    widths: [
      [3, 0.4],
      [6, 1.1],
      [9, 2.2],
      [12, 4],
      [15, 10],
      [18, 28],
    ],
    edgePixels: 1,
    colour: ({ highway }) => highway,
    edge: ({ highwayEdge }) => highwayEdge,
  },
];

const width = (widths: Widths, more = 0) =>
  [
    "interpolate",
    ["exponential", 1.6],
    ["zoom"],
    ...widths.flatMap(([zoom, pixels]) => [zoom, pixels + more]),
  ] as never;

/** What runs below the ground is paler. */
const opacity = ["case", ["has", "is_tunnel"], 0.45, 1] as never;

/** All edges first, then the roads: so streets that meet are open to each other. */
export function roadLayers(source: string, { streets }: MapTheme): LineLayerSpecification[] {
  const place = { source, "source-layer": "roads", type: "line" } as const;
  const layout = { "line-cap": "round", "line-join": "round" } as const;
  const edges = classes.map(({ id, filter, minzoom, widths, edgePixels, edge }): LineLayerSpecification => {
    const paint = { "line-color": edge(streets), "line-width": width(widths, 2 * edgePixels), "line-opacity": opacity };
    return { ...place, id: `street-${id}-edge`, filter: filter as never, minzoom: minzoom + 1, layout, paint };
  });
  const roads = classes.map(({ id, filter, minzoom, widths, colour }): LineLayerSpecification => {
    const paint = { "line-color": colour(streets), "line-width": width(widths), "line-opacity": opacity };
    return { ...place, id: `street-${id}`, filter: filter as never, minzoom, layout, paint };
  });
  return [
    {
      ...place,
      id: "street-runways",
      filter: detail("runway", "taxiway") as never,
      minzoom: 9,
      paint: {
        "line-color": streets.runway,
        "line-width": width([
          [9, 0.5],
          [13, 8],
          [18, 60],
        ]),
      },
    },
    {
      ...place,
      id: "street-paths",
      filter: ["in", ["get", "kind"], ["literal", ["path", "other"]]] as never,
      minzoom: 15,
      paint: { "line-color": streets.edge, "line-width": 1, "line-dasharray": [3, 2] },
    },
    ...edges,
    ...roads,
    {
      ...place,
      id: "street-rails",
      filter: kind("rail") as never,
      minzoom: 10,
      paint: { "line-color": streets.rail, "line-width": ["interpolate", ["linear"], ["zoom"], 10, 0.6, 16, 2] },
    },
  ];
}
