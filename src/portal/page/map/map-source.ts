import { createContext, useContext } from "react";
import type { MapSettings } from "../../both-sides/contract/session.ts";
import { SessionContext } from "../common/session.ts";
import type { TileHeaders } from "./style/tile-headers.ts";

/** What a map is drawn from, for a person who is not signed in. */
export interface MapSource {
  readonly settings: MapSettings;
  readonly headers: TileHeaders;
}

export const MapSourceContext = createContext<MapSource | null>(null);

const noHeaders: TileHeaders = {};

export function useMapSource(): MapSource {
  const given = useContext(MapSourceContext);
  const session = useContext(SessionContext);
  if (given !== null) return given;
  if (session === null) throw new Error("nobody is signed in");
  return { settings: session.map, headers: noHeaders };
}
