import type { ErrorEvent, Map as GlMap, OverscaledTileID, VectorTileSource } from "maplibre-gl";
import { headersFor, type TileHeaders } from "./tile-headers.ts";

const retryMs = 10_000;

interface FailedTile {
  readonly sourceId: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly url: string;
}

/**
 * MapLibre asks for a tile that could not be loaded once only, until it is out of sight and back. So we ask again for
 * those, while there are any. First for one of them, by ourselves: what is drawn in their place until then vanishes
 * while MapLibre asks, and would flicker as long as the server is gone. Returns what ends it.
 */
export function retryTiles(map: GlMap, headers: TileHeaders, onBack: () => void): () => void {
  const abort = new AbortController();
  let failed = new Map<string, FailedTile>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    if (failed.size > 0 && !abort.signal.aborted && !document.hidden) timer = setTimeout(retry, retryMs);
  };
  const retry = async () => {
    clearTimeout(timer);
    const [one] = failed.values();
    if (!one || document.hidden) return;
    const answers = await fetch(one.url, {
      signal: abort.signal,
      headers: headersFor(one.url, location.href, headers),
    }).then(
      ({ ok, status }) => ok || status === 404,
      () => false,
    );
    if (abort.signal.aborted) return;
    if (!answers) {
      // Next time another: this one may be missing for a reason of its own.
      failed.delete(one.url);
      failed.set(one.url, one);
    } else {
      const tiles = [...failed.values()];
      // What fails again raises an error again.
      failed = new Map();
      for (const [sourceId, ids] of Map.groupBy(tiles, (tile) => tile.sourceId)) {
        if (map.getSource(sourceId)) map.refreshTiles(sourceId, [...ids]);
      }
      onBack();
    }
    wait();
  };
  const subscription = map.on("error", (event) => {
    const tile = failedTile(map, event);
    if (tile === null) return;
    failed.set(tile.url, tile);
    if (failed.size === 1) wait();
  });
  document.addEventListener("visibilitychange", retry);
  return () => {
    abort.abort();
    clearTimeout(timer);
    subscription.unsubscribe();
    document.removeEventListener("visibilitychange", retry);
  };
}

/** Null: the error is about something else. */
function failedTile(map: GlMap, event: ErrorEvent): FailedTile | null {
  const { sourceId, tile } = event as ErrorEvent & TileFailure;
  const source = sourceId === undefined ? undefined : map.getSource<VectorTileSource>(sourceId);
  if (sourceId === undefined || tile === undefined || !source?.tiles) return null;
  const { canonical } = tile.tileID;
  const { z, x, y } = canonical;
  return { sourceId, z, x, y, url: canonical.url(source.tiles, map.getPixelRatio(), source.scheme) };
}

/** What MapLibre adds to an error of a tile. */
interface TileFailure {
  readonly sourceId?: string;
  readonly tile?: { readonly tileID: OverscaledTileID };
}
