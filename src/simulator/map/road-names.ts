import type { RoadKindName } from "../region/road-kinds.ts";

/** The motorways, and the junctions that each leads through: from general knowledge of the region, like these. */
const motorways: Readonly<Record<string, string>> = {
  "A 10":
    "oranienburg-cross birkenwerder muehlenbeck pankow-fork barnim-fork hohenschoenhausen-exit marzahn-exit hellersdorf-exit " +
    "ruedersdorf erkner-exit freienbrink spreeau-fork kw-exit schoenefeld-cross rangsdorf-exit ludwigsfelde-east " +
    "ludwigsfelde-west nuthetal-fork michendorf-exit ferch-exit potsdam-fork glindow-exit werder-fork potsdam-north " +
    "spandau-exit brieselang-exit falkensee-exit havelland-fork oberkraemer",
  "A 2": "werder-fork brandenburg-exit ziesar burg magdeburg-north",
  "A 9": "potsdam-fork beelitz niemegk coswig dessau leipzig-north",
  "A 11": "barnim-fork bernau-north finowfurt",
  "A 12": "spreeau-fork fuerstenwalde-exit frankfurt-oder-exit",
  "A 13": "schoenefeld-cross teupitz luebbenau",
  "A 15": "luebbenau cottbus-west",
  "A 24": "havelland-fork kremmen neuruppin-exit",
  "A 100":
    "seestrasse saatwinkler charlottenburg-fork kaiserdamm-exit funkturm-fork schmargendorf schoeneberg-cross " +
    "tempelhofer-damm britz-west neukoelln-fork sonnenallee-end",
  "A 111": "saatwinkler tegel-tunnel holzhauser waidmannslust schulzendorf stolpe oranienburg-cross",
  "A 113": "neukoelln-fork spaethstrasse adlershof-exit schoenefeld-north ber-exit waltersdorf-fork schoenefeld-cross",
  "A 114": "prenzlauer-prom pasewalker bucher-strasse pankow-fork",
  "A 115": "funkturm-fork huettenweg spanische-allee zehlendorf-cross kleinmachnow-exit babelsberg-exit nuthetal-fork",
};

const junctionsOf = Object.entries(motorways).map(([number, names]) => ({ number, names: new Set(names.split(" ")) }));

/** The number of a motorway between two of its junctions; null for any other road. */
export function motorwayNumber(kind: RoadKindName, from: string, to: string): string | null {
  if (!kind.includes("motorway")) return null;
  return junctionsOf.find(({ names }) => names.has(from) && names.has(to))?.number ?? null;
}

/** A junction's name as people write it. */
export function spelled(name: string): string {
  return name
    .replaceAll("ae", "ä")
    .replaceAll("oe", "ö")
    .replace(/(?<![ae])ue/g, "ü")
    .replaceAll("strasse", "straße")
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}
