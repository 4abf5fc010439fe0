import { createContext, useContext } from "react";
import type { MapSettings } from "../../records/portal-records.ts";
import { SessionContext } from "../common/session.ts";

/** What a map is drawn from, for somebody who is not signed in. */
export interface MapSource {
  readonly settings: MapSettings;
  /** What requests for our own tiles prove who asks with. */
  readonly headers: Readonly<Record<string, string>>;
}

export const MapSourceContext = createContext<MapSource | null>(null);

const noHeaders = {};

/** Of a session, the cookie is the proof. */
export function useMapSource(): MapSource {
  const given = useContext(MapSourceContext);
  const session = useContext(SessionContext);
  if (given !== null) return given;
  if (session === null) throw new Error("nobody is signed in");
  return { settings: session.map, headers: noHeaders };
}

/** Only our own tiles get them: a style of another site must never see a proof. Pure. */
export function headersFor(url: string, page: string, headers: MapSource["headers"]): Readonly<Record<string, string>> {
  const { origin, pathname } = new URL(url, page);
  return origin === new URL(page).origin && pathname.startsWith("/portal/tiles/") ? headers : noHeaders;
}
