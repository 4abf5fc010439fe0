import type { GeocoderKind } from "../../src/portal/geocoder/geocoder-answers.ts";

export const photonAnswer = {
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      geometry: { type: "Point", coordinates: [9.99, 53.55] },
      properties: { osm_id: 1, street: "Hafenstraße", housenumber: "12", city: "Hamburg", countrycode: "DE" },
    },
  ],
};

export const nominatimAnswer = {
  place_id: 1,
  display_name: "12, Hafenstraße, Altona, Hamburg, 22767, Deutschland",
  name: "",
  address: { house_number: "12", road: "Hafenstraße", suburb: "Altona", city: "Hamburg", country_code: "de" },
};

interface Behaviour {
  readonly delayMs?: number;
  readonly isEmpty?: boolean;
  /** Instead of the usual answers. */
  readonly answer?: () => Response | Promise<Response>;
}

export interface GeocoderUnderTest {
  readonly url: string;
  /** Paths and queries of all questions. */
  readonly asked: readonly string[];
  readonly authorisations: readonly (string | null)[];
  /** How many questions were open at the same time. */
  mostAtOnce(): number;
  stop(): Promise<void>;
}

/** A real server that answers as Photon or Nominatim do, and refuses what they refuse. */
export function startGeocoder(kind: GeocoderKind, behaviour: Behaviour = {}): GeocoderUnderTest {
  const asked: string[] = [];
  const authorisations: (string | null)[] = [];
  let open = 0;
  let most = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      asked.push(pathname + search);
      authorisations.push(request.headers.get("authorization"));
      most = Math.max(most, ++open);
      if (behaviour.delayMs !== undefined) await Bun.sleep(behaviour.delayMs);
      open--;
      if (behaviour.answer) return behaviour.answer();
      if (pathname !== "/reverse") return new Response("", { status: 404 });
      if (kind === "photon") {
        if (searchParams.has("format")) return Response.json({ message: "unknown parameter" }, { status: 400 });
        return Response.json(behaviour.isEmpty ? { ...photonAnswer, features: [] } : photonAnswer);
      }
      if (searchParams.get("format") !== "jsonv2") return new Response("<?xml version='1.0'?>");
      return Response.json(behaviour.isEmpty ? { error: "Unable to geocode" } : nominatimAnswer);
    },
  });
  return {
    url: server.url.origin,
    asked,
    authorisations,
    mostAtOnce: () => most,
    stop: () => server.stop(true),
  };
}
