import { AttributionControl, Map as GlMap, NavigationControl, ScaleControl, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs" with { type: "file" };
import "maplibre-gl/dist/maplibre-gl.css";
import { type RefObject, useEffect, useState } from "react";
import { type MapTheme, useMapTheme } from "./map-theme.ts";
import { drawMissingMarks } from "./marks.ts";
import { worldStyle } from "./world-style.ts";

setWorkerUrl(workerUrl);

export interface BaseMap {
  /** Null until it can be drawn on. Another object after the style has changed: then everything is drawn anew. */
  readonly ready: { readonly map: GlMap; readonly theme: MapTheme } | null;
  /** Whether this browser cannot draw it at all. */
  readonly isImpossible: boolean;
  /** Whether the style of the settings cannot be had, so that the one of the program is shown instead. */
  readonly isStandIn: boolean;
}

/** A map in the element, in light or dark as the system is, on the given style or on the one of the program. */
export function useBaseMap(container: RefObject<HTMLElement | null>, styleUrl: string | null): BaseMap {
  const theme = useMapTheme();
  const [map, setMap] = useState<GlMap | null>(null);
  const [ready, setReady] = useState<BaseMap["ready"]>(null);
  const [isImpossible, setImpossible] = useState(false);
  const [isStandIn, setStandIn] = useState(false);

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
        // Names that fade keep thousands of vehicles being drawn again after each of their moves.
        fadeDuration: 0,
        // Without it a screen reader would only hear "Map".
        locale: { "Map.Title": "Map. Arrow keys move it, plus and minus zoom" },
      });
    } catch {
      setImpossible(true);
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
    // Told to whoever looks at the page from outside: a map has no other sign of being drawn to the end.
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
    chooseStyle(styleUrl, theme).then(({ style, isStandIn }) => {
      if (!isCurrent) return;
      setStandIn(isStandIn);
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

  return { ready, isImpossible, isStandIn };
}

/** The map would say nothing of a style that does not come, and show nothing. So it is asked for beforehand. */
async function chooseStyle(styleUrl: string | null, theme: MapTheme) {
  if (styleUrl !== null) {
    const answer = await fetch(styleUrl).catch(() => null);
    if (answer?.ok) return { style: styleUrl, isStandIn: false };
  }
  return { style: worldStyle(theme), isStandIn: styleUrl !== null };
}
