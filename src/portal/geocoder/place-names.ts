import type { MapTiles } from "../tiles/map-tiles.ts";
import { StreetNames } from "../tiles/street-names.ts";
import type { Geocoder, PlaceName } from "./geocoder.ts";

/** About 11 metres, as the page and the geocoder round: near a corner a metre would be another street. */
const decimals = 4;

/**
 * What a place is called by those who know streets: the operator's geocoder, else the street tiles. The page, mails and
 * reports ask here, so that a place has one name everywhere.
 */
export class PlaceNames {
  readonly #geocoder: Geocoder | null;
  readonly #streets: StreetNames | null;

  constructor(geocoder: Geocoder | null, tiles: MapTiles | null) {
    this.#geocoder = geocoder;
    this.#streets = tiles && new StreetNames(tiles);
  }

  /** Whether a geocoder is asked, one question after the other. */
  get hasGeocoder(): boolean {
    return this.#geocoder !== null;
  }

  async nameOf(latitude: number, longitude: number): Promise<PlaceName> {
    const [north, east] = [Number(latitude.toFixed(decimals)), Number(longitude.toFixed(decimals))];
    const { name, mayChange } = (await this.#geocoder?.nameOf(north, east)) ?? { name: null, mayChange: false };
    return { name: name ?? (await this.#streets?.nearest(north, east)) ?? null, mayChange };
  }
}
