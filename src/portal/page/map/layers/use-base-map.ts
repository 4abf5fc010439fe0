import {
  AttributionControl,
  type ErrorEvent,
  Map as GlMap,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import address from "maplibre-gl/dist/maplibre-gl.css" with { type: "file" };
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs" with { type: "file" };
import { useEffect, useRef, useState } from "react";
import { locales } from "../../../both-sides/texts/texts.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { useMapSource } from "../map-source.ts";
import { chooseStyle, type MapProblem } from "../style/base-style.ts";
import { type MapTheme, useMapTheme } from "../style/map-theme.ts";
import { retryTiles } from "../style/retry-tiles.ts";
import { streetSource } from "../style/street-style.ts";
import { headersFor } from "../style/tile-headers.ts";
import { showWorld, townCredit } from "../style/world-style.ts";
import { drawMissingMarks } from "./marks.ts";

setWorkerUrl(workerUrl);

export interface ReadyMap {
  readonly map: GlMap;
  readonly theme: MapTheme;
  readonly locale: string;
}

export type BaseMap = ReturnType<typeof useBaseMap>;

/** A map, light or dark like the system: with the style of the settings, with streets, or the coarse one. */
export function useBaseMap() {
  const container = useRef<HTMLDivElement>(null);
  const { settings, headers } = useMapSource();
  const { map: words, show } = useTexts();
  const { language, units } = show;
  const theme = useMapTheme();
  const [map, setMap] = useState<GlMap | null>(null);
  /** Null until it can be drawn on. A new object after a change of style: then everything must be drawn again. */
  const [ready, setReady] = useState<ReadyMap | null>(null);
  /** Whether everything was drawn once. */
  const [isDrawn, setDrawn] = useState(false);
  const [isUnsupported, setUnsupported] = useState(false);
  /** Why this is not the map of the settings; null if it is. */
  const [problem, setProblem] = useState<MapProblem | null>(null);

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
        transformRequest: (url) => ({ url, headers: { ...headersFor(url, location.href, headers) } }),
        locale: {
          // Without it a screen reader would only say "Map".
          "Map.Title": words.canvas,
          "NavigationControl.ZoomIn": words.zoomIn,
          "NavigationControl.ZoomOut": words.zoomOut,
          "AttributionControl.ToggleAttribution": words.toggleMakers,
        },
      });
    } catch {
      setUnsupported(true);
      return;
    }
    drawMissingMarks(made);
    made.touchZoomRotate.disableRotation();
    // Once, also where the map below has the same line.
    const customAttribution = townCredit(words.townMakers);
    made.addControl(new AttributionControl({ compact: false, customAttribution }), "bottom-right");
    made.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
    setMap(made);
    return () => {
      setReady(null);
      setMap(null);
      made.remove();
    };
  }, [words, headers]);

  useEffect(() => {
    if (!map) return;
    const scale = new ScaleControl({ unit: units.distance === "mi" ? "imperial" : "metric" });
    map.addControl(scale, "bottom-left");
    return () => {
      // A map that was removed has removed its controls, and fails if asked to again.
      if (map.hasControl(scale)) map.removeControl(scale);
    };
  }, [map, units.distance]);

  useEffect(() => {
    if (!map) return;
    let isCurrent = true;
    let isComplete = false;
    let chosenProblem: MapProblem | null = null;
    // For tests: nothing else shows that the map is completely drawn.
    const { dataset } = map.getContainer();
    const subscriptions = [
      map.on("dataloading", () => {
        dataset.drawn = "false";
      }),
      map.on("idle", () => {
        dataset.drawn = String(isComplete);
      }),
      // Not only when idle: a map that follows a vehicle hardly ever is.
      map.on("render", () => {
        if (isComplete && map.areTilesLoaded()) setDrawn(true);
      }),
      map.on("error", (event) => {
        if (areStreetsGone(event)) setProblem("tiles");
        // Without a subscriber MapLibre would do the same.
        else console.error(event.error);
      }),
    ];
    const stopRetrying = retryTiles(map, headers, () => setProblem(chosenProblem));
    chooseStyle(settings, theme, language, words).then((chosen) => {
      if (!isCurrent) return;
      chosenProblem = chosen.problem;
      setProblem(chosenProblem);
      map.once("style.load", async () => {
        if (!isCurrent) return;
        setReady({ map, theme: chosen.theme, locale: locales[language] });
        await showWorld(map, () => isCurrent);
        isComplete = true;
        map.triggerRepaint();
      });
      map.setStyle(chosen.style, { diff: false });
    });
    return () => {
      isCurrent = false;
      for (const subscription of subscriptions) subscription.unsubscribe();
      stopRetrying();
      setReady(null);
    };
  }, [map, theme, settings, headers, language, words]);

  return { container, ready, isDrawn, isUnsupported, problem };
}

/** The zoom at which streets can be seen apart; without any, at which the next town is still in view. */
export function useCloseZoom(): number {
  const { style, tiles } = useMapSource().settings;
  return style === null && tiles === null ? 11 : 15;
}

/** The server cannot read its archive any more. Another missing tile, such as after the session ended, is said elsewhere. */
function areStreetsGone(event: ErrorEvent): boolean {
  const { sourceId, error } = event as ErrorEvent & { sourceId?: string; error: { status?: number } };
  return sourceId === streetSource && error.status === 503;
}

/**
 * MapLibre's own style, loaded with the first map. Imported as a style it would be part of every page, because the bundler
 * puts all styles into one file. First in the head: our rules go before its own.
 */
const sheet = document.createElement("link");
sheet.rel = "stylesheet";
sheet.href = address;
document.head.prepend(sheet);
