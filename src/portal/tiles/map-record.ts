import type { MapSettings } from "../both-sides/contract/session.ts";
import type { PortalDeps } from "../route.ts";
import { tilesAddress } from "./answer-tile.ts";

/** What a page draws its map from. */
export async function mapRecord({ mapStyles, mapTiles }: PortalDeps): Promise<MapSettings> {
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
    problem: mapTiles && !described && (await mapTiles.hasProblem()) ? "tiles_unusable" : null,
  };
}
