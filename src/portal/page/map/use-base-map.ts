import { AttributionControl, Map as GlMap, NavigationControl, ScaleControl, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs" with { type: "file" };
import "maplibre-gl/dist/maplibre-gl.css";
import { type RefObject, useEffect, useState } from "react";
import { type MapTheme, useMapTheme } from "./map-theme.ts";
import { drawMissingMarks } from "./marks.ts";
import { worldStyle } from "./world-style.ts";

setWorkerUrl(workerUrl);

export interface BaseMap {
  /** Null until it can be drawn on. A new object after a change of style: then everything must be drawn again. */
  readonly ready: { readonly map: GlMap; readonly theme: MapTheme } | null;
  /** Whether this browser cannot draw a map. */
  readonly isUnsupported: boolean;
  /** Whether the style of the settings cannot be loaded, so that the program's own is shown. */
  readonly isFallback: boolean;
}

/** A map in the element, light or dark like the system, with the given style or the program's own. */
export function useBaseMap(container: RefObject<HTMLElement | null>, styleUrl: string | null): BaseMap {
  const theme = useMapTheme();
  const [map, setMap] = useState<GlMap | null>(null);
  const [ready, setReady] = useState<BaseMap["ready"]>(null);
  const [isUnsupported, setUnsupported] = useState(false);
  const [isFallback, setFallback] = useState(false);

  useEffect(() => {
    if (!container.current) return;
    let made: GlMap;
    try {
      made = new GlMap({
        container: container.current,
        style: { version: 8, sources: {}, layers: [] },
        center: [12, 49],
        zoom: 3.5,
        minZoom: 1,
        maxZoom: 18,
        attributionControl: false,
        dragRotate: false,
        pitchWithRotate: false,
        // While names fade, thousands of vehicles would be drawn again after each move.
        fadeDuration: 0,
        // Without it a screen reader would only say "Map".
        locale: { "Map.Title": "Map. Arrow keys move it, plus and minus zoom" },
      });
    } catch {
      setUnsupported(true);
      return;
    }
    drawMissingMarks(made);
    made.touchZoomRotate.disableRotation();
    made.addControl(new AttributionControl({ compact: false }), "bottom-right");
    made.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
    made.addControl(new ScaleControl({ unit: "metric" }), "bottom-left");
    setMap(made);
    return () => {
      setReady(null);
      setMap(null);
      made.remove();
    };
  }, [container]);

  useEffect(() => {
    if (!map) return;
    let isCurrent = true;
    // For tests: nothing else shows that the map is completely drawn.
    const { dataset } = map.getContainer();
    const subscriptions = [
      map.on("dataloading", () => {
        dataset.drawn = "false";
      }),
      map.on("idle", () => {
        dataset.drawn = "true";
      }),
    ];
    const onStyle = () => setReady({ map, theme });
    chooseStyle(styleUrl, theme).then(({ style, isFallback }) => {
      if (!isCurrent) return;
      setFallback(isFallback);
      map.once("style.load", onStyle);
      map.setStyle(style, { diff: false });
    });
    return () => {
      isCurrent = false;
      map.off("style.load", onStyle);
      for (const subscription of subscriptions) subscription.unsubscribe();
      setReady(null);
    };
  }, [map, theme, styleUrl]);

  return { ready, isUnsupported, isFallback };
}

/** MapLibre reports nothing if a style cannot be loaded, and shows nothing. So we try to load it first. */
async function chooseStyle(styleUrl: string | null, theme: MapTheme) {
  if (styleUrl !== null) {
    const answer = await fetch(styleUrl).catch(() => null);
    if (answer?.ok) return { style: styleUrl, isFallback: false };
  }
  return { style: worldStyle(theme), isFallback: styleUrl !== null };
}
