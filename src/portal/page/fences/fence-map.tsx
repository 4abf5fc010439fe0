import type { Map as GlMap, LineLayerSpecification, MapMouseEvent } from "maplibre-gl";
import { type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import type { FenceShape } from "../../../domain/geometry/fence-shape.ts";
import type { GeometryProblem, Position } from "../../../domain/geometry/geojson.ts";
import type { ListedFence } from "../../both-sides/contract/fences.ts";
import {
  addFenceLayers,
  corridorTiling,
  corridorWidth,
  fenceAreaLayers,
  showFences,
} from "../map/layers/fence-layers.ts";
import { useBaseMap } from "../map/layers/use-base-map.ts";
import { showMost } from "../map/layers/use-camera.ts";
import type { MapVehicle } from "../map/layers/vehicle.ts";
import { addVehicleLayers, useMarks } from "../map/layers/vehicle-layers.ts";
import { MapFrame } from "../map/map-frame.tsx";
import { collection, showFeatures } from "../map/style/features.ts";
import type { MapTheme } from "../map/style/map-theme.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { Handle } from "./draft-features.ts";
import { type DraftFencePart, draftFeatures } from "./draft-features.ts";
import type { Drawing } from "./drawing.ts";
import { canFinish } from "./drawing-edits.ts";
import { HandleLayer } from "./handle-layer.ts";
import { fenceBounds, metresApart } from "./measure.ts";
import type { DrawingTool } from "./use-drawing.ts";

/** What the page asks of the map. */
export interface MapView {
  readonly centre: () => Position;
  /** How far this many pixels are on the ground there. */
  readonly metresOf: (pixels: number) => number;
}

interface FenceMapProps {
  /** All but the one that is drawn. */
  readonly fences: readonly ListedFence[];
  readonly vehicles: readonly MapVehicle[];
  readonly tool: DrawingTool;
  readonly colour: string | null;
  readonly problem: GeometryProblem | null;
  /** What was opened last: the map moves there. */
  readonly target: { readonly id: string; readonly shape: FenceShape } | null;
  readonly onOpen: (id: string) => void;
  readonly view: RefObject<MapView | null>;
}

const closestZoom = 16;
/** The drawing tools are over the upper edge. */
const padding = { top: 96, right: 64, bottom: 64, left: 64 };
/** A new circle that is smaller on the screen is shown as large as `shownRadiusPixels`, so that its handles are apart. */
const minRadiusPixels = 24;
const shownRadiusPixels = 70;
/** Two clicks so near each other are a double click. */
const sameClickPixels = 6;

export default function FenceMap(props: FenceMapProps) {
  const { fences, vehicles, tool, colour, problem, target, view } = props;
  const { fences: words } = useAdministrationTexts();
  const base = useBaseMap();
  const { ready } = base;
  const map = ready?.map ?? null;
  const latest = useRef(props);
  latest.current = props;
  const handles = useRef<HandleLayer | null>(null);
  const pointer = useRef<Position | null>(null);
  const hasBeenPlaced = useRef(false);
  const wordsNow = useRef(words);
  wordsNow.current = words;

  useImperativeHandle(
    view,
    () => ({
      centre: () => (map === null ? [0, 0] : [map.getCenter().lng, map.getCenter().lat]),
      metresOf: (pixels) => {
        if (map === null) return pixels;
        const { x, y } = map.project(map.getCenter());
        const there = map.unproject([x + pixels, y]);
        return metresApart([map.getCenter().lng, map.getCenter().lat], [there.lng, there.lat]);
      },
    }),
    [map],
  );

  useEffect(() => {
    if (!ready) return;
    const { map, theme } = ready;
    addFenceLayers(map, theme);
    addVehicleLayers(ready);
    addDraftLayers(map, theme);
    const select = (handle: Handle) => latest.current.tool.select(handle.kind === "point" ? handle.at : null);
    const layer = new HandleLayer(map, () => ({
      label: (handle) => labelOf(handle, wordsNow.current),
      onMove: latest.current.tool.drag,
      onSelect: select,
      onClick: (handle) => (isEnd(handle, latest.current.tool.drawing) ? latest.current.tool.end() : select(handle)),
      onRemove: (handle) => handle.kind === "point" && latest.current.tool.remove(handle.at),
    }));
    handles.current = layer;
    const isDrawing = () => latest.current.tool.drawing?.isDone === false;
    const redraw = () => showDraft(map, latest.current.tool.drawing, pointer.current, latest.current.problem);
    const onClick = ({ lngLat: { lng, lat }, point, originalEvent }: MapMouseEvent) => {
      if ((originalEvent.target as Element).closest(".handle")) return;
      const { tool, onOpen } = latest.current;
      if (isDrawing()) {
        const last = tool.drawing?.rings[0]?.at(-1);
        const there = last && map.project([...last]);
        const isSame = there !== undefined && Math.hypot(there.x - point.x, there.y - point.y) < sameClickPixels;
        if (isSame) return;
        tool.add([lng, lat]);
        const pixelMetres = latest.current.view.current?.metresOf(1) ?? 1;
        const radiusPixels = (tool.drawing?.metres ?? 0) / pixelMetres;
        if (tool.drawing?.shape === "circle" && radiusPixels < minRadiusPixels) {
          map.easeTo({ center: [lng, lat], zoom: map.getZoom() + Math.log2(shownRadiusPixels / radiusPixels) });
        }
        return;
      }
      if (tool.drawing !== null) return;
      const [found] = map.queryRenderedFeatures(point, { layers: fenceAreaLayers });
      if (found?.properties.id) onOpen(found.properties.id);
    };
    const subscriptions = [
      map.on("click", onClick),
      map.on("dblclick", () => {
        if (isDrawing()) latest.current.tool.end();
      }),
      map.on("mousemove", ({ lngLat: { lng, lat } }) => {
        if (!isDrawing()) return;
        pointer.current = [lng, lat];
        redraw();
      }),
      map.on("mouseout", () => {
        pointer.current = null;
        if (isDrawing()) redraw();
      }),
    ];
    const canvas = map.getCanvas();
    const onKey = (event: KeyboardEvent) => {
      const { tool, view } = latest.current;
      if (tool.drawing === null || tool.drawing.isDone) return;
      if (event.key === "Enter" && canFinish(tool.drawing)) tool.end();
      else if (event.key === " ") tool.add(view.current?.centre() ?? [0, 0]);
      else return;
      event.preventDefault();
    };
    canvas.addEventListener("keydown", onKey);
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
      canvas.removeEventListener("keydown", onKey);
      layer.remove();
      handles.current = null;
    };
  }, [ready]);

  useEffect(() => {
    if (ready) showFences(ready.map, fences);
  }, [ready, fences]);

  useMarks(ready, vehicles);

  const { drawing, vertex } = tool;
  const isDrawing = drawing?.isDone === false;
  useEffect(() => {
    if (!ready) return;
    if (!isDrawing) pointer.current = null;
    showDraft(ready.map, drawing, pointer.current, problem);
    handles.current?.show(drawing, vertex);
  }, [ready, drawing, vertex, problem, isDrawing]);

  useEffect(() => {
    if (ready) paintDraft(ready.map, colour, ready.theme);
  }, [ready, colour]);

  useEffect(() => {
    if (!map) return;
    if (isDrawing) map.doubleClickZoom.disable();
    else map.doubleClickZoom.enable();
    map.getCanvas().style.cursor = isDrawing ? "crosshair" : "";
  }, [map, isDrawing]);

  const targetId = target?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another fence, not another shape of it
  useEffect(() => {
    if (!map || target === null) return;
    const [west, south, east, north] = fenceBounds(target.shape);
    const isFirst = !hasBeenPlaced.current;
    hasBeenPlaced.current = true;
    map.fitBounds([west, south, east, north], { padding, maxZoom: closestZoom, animate: !isFirst, duration: 600 });
  }, [map, targetId]);

  useEffect(() => {
    if (!map || hasBeenPlaced.current || targetId !== null) return;
    const places = fences.length > 0 ? fences.map(placeOf) : vehicles.map(({ position }) => position);
    if (places.length === 0) return;
    hasBeenPlaced.current = true;
    showMost(map, places, 13);
  }, [map, fences, vehicles, targetId]);

  return <MapFrame base={base} instead={words.numbersInstead} />;
}

/** While one draws: a click on the last point, as the second of a double click is, or on the first, ends the drawing. */
function isEnd(handle: Handle, drawing: Drawing | null): boolean {
  if (drawing === null || !canFinish(drawing) || handle.kind !== "point") return false;
  return handle.at.index === handle.count - 1 || (drawing.shape === "polygon" && handle.at.index === 0);
}

function placeOf({ geometry }: ListedFence) {
  const first = geometry.coordinates.flat(3) as number[];
  return { longitude: first[0] ?? null, latitude: first[1] ?? null };
}

function labelOf(handle: Handle, words: ReturnType<typeof useAdministrationTexts>["fences"]): string {
  switch (handle.kind) {
    case "point":
      return handle.count === 1 ? words.centre : words.pointOf(String(handle.at.index + 1), String(handle.count));
    case "middle":
      return words.newPointAfter(String(handle.at.index + 1));
    case "radius":
      return words.radiusHandle;
  }
}

const source = "draft";

type Line = Required<LineLayerSpecification>;

/** The layers of the fence that is being drawn, above all others. */
function addDraftLayers(map: GlMap, { accent, rejected }: MapTheme): void {
  map.addSource(source, { type: "geojson", data: collection([]), ...corridorTiling });
  const isPart = (part: DraftFencePart) => ["==", ["get", "part"], part] as never;
  const round = { "line-cap": "round", "line-join": "round" } as const;
  const line = (part: DraftFencePart, paint: Line["paint"], layout: Line["layout"] = round) =>
    map.addLayer({ id: `draft-${part}`, type: "line", source, filter: isPart(part), layout, paint });
  const area = { "fill-color": accent, "fill-opacity": 0.1 };
  map.addLayer({ id: "draft-area", type: "fill", source, filter: isPart("area"), paint: area });
  line("corridor", { "line-color": accent, "line-opacity": 0.14, "line-width": corridorWidth });
  line("edge", { "line-color": accent, "line-width": 2.5 });
  line("next", { "line-color": accent, "line-width": 2, "line-dasharray": [2, 2] }, {});
  line("wrong", { "line-color": rejected, "line-width": 4 });
}

function showDraft(
  map: GlMap,
  drawing: Drawing | null,
  pointer: Position | null,
  problem: GeometryProblem | null,
): void {
  showFeatures(map, source, drawing === null ? [] : draftFeatures(drawing, pointer, problem));
}

/** In the owner's colour, if the browser knows it. */
function paintDraft(map: GlMap, colour: string | null, { accent }: MapTheme): void {
  const known = colour !== null && CSS.supports("color", colour) ? colour : accent;
  map.setPaintProperty("draft-area", "fill-color", known);
  for (const layer of ["draft-corridor", "draft-edge", "draft-next"]) map.setPaintProperty(layer, "line-color", known);
}
