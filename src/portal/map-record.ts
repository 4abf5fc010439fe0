import type { MapSettings } from "./page/api/portal-records.ts";
import type { PortalParts } from "./route.ts";
import { tilesAddress } from "./tiles/answer-tile.ts";

/** What the page draws its map from, as part of the session. */
export async function mapRecord({
  mapStyles,
  mapTiles,
}: Pick<PortalParts, "mapStyles" | "mapTiles">): Promise<MapSettings> {
  const described = mapTiles && (await mapTiles.describe());
  return {
    style: mapStyles.light,
    style_dark: mapStyles.dark,
    tiles: described && {
      url: tilesAddress(described),
      min_zoom: described.minZoom,
      max_zoom: described.maxZoom,
      bounds: described.bounds,
      attribution: described.attribution,
      is_sparse: described.isSparse,
    },
    /** Why there are no streets although tiles are configured. The reason is in the log: it is the operator's. */
    problem: mapTiles && !described ? "tiles_unusable" : null,
  };
}
