import { basename } from "node:path";
import { Compression, type Header, PMTiles, ResolvedValueCache, TileType } from "pmtiles";
import { ArchiveFile } from "./archive-file.ts";
import { decompressed, decompressedDirectory } from "./decompress.ts";

/** A tile as the archive has it. */
export interface Tile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isGzip: boolean;
}

export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** An archive of street tiles on disk. */
export interface Archive {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: Bounds;
  /** Whom the map must name, as HTML. */
  readonly attribution: string;
  /** Null if the archive has nothing there. */
  readonly tile: (z: number, x: number, y: number) => Promise<Tile | null>;
  readonly close: () => Promise<void>;
}

/** The archive is readable, but is not what a map of streets is drawn from. */
class UnfitArchive extends Error {}

/** Directories in memory. In the largest archives each takes some 2 MB. */
const maxDirectories = 32;

/** The street style draws this layer of the Protomaps schema; without it there are no streets. */
const requiredLayer = "roads";

/** The schema holds what OpenStreetMap knows, which must be said also where an archive does not say it. */
const defaultAttribution = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>';

export async function openArchive(path: string): Promise<Archive> {
  const file = await ArchiveFile.open(path);
  try {
    const directories = new ResolvedValueCache(maxDirectories, false, decompressedDirectory);
    // Tiles are passed on as they are.
    const tiles = new PMTiles(file, directories, async (bytes) => bytes);
    const header = await tiles.getHeader();
    requireVectorTiles(header);
    const { attribution, vector_layers } = await readMetadata(file, header);
    requireStreets(vector_layers);
    return {
      minZoom: header.minZoom,
      maxZoom: header.maxZoom,
      bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
      attribution: typeof attribution === "string" && attribution !== "" ? attribution : defaultAttribution,
      async tile(z, x, y) {
        const found = await tiles.getZxy(z, x, y);
        return found === undefined ? null : toTile(found.data, header.tileCompression);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Browsers understand gzip everywhere, and no other compression everywhere. */
function toTile(data: ArrayBuffer, compression: Compression): Tile {
  if (compression === Compression.Gzip) return { bytes: new Uint8Array(data), isGzip: true };
  return { bytes: new Uint8Array(decompressed(data, compression)), isGzip: false };
}

function requireVectorTiles({ tileType, minZoom, maxZoom }: Header): void {
  if (tileType !== TileType.Mvt) {
    const kind = TileType[tileType]?.toUpperCase() ?? "of an unknown kind";
    throw new UnfitArchive(`its tiles are ${kind}, not vector tiles (MVT)`);
  }
  if (minZoom > maxZoom || maxZoom > 22) throw new Error("its zoom levels make no sense");
}

interface Metadata {
  readonly attribution?: unknown;
  readonly vector_layers?: unknown;
}

async function readMetadata(file: ArchiveFile, header: Header): Promise<Metadata> {
  const { jsonMetadataOffset: offset, jsonMetadataLength: length, internalCompression } = header;
  const { data } = await file.getBytes(offset, length);
  const metadata: unknown = JSON.parse(new TextDecoder().decode(decompressed(data, internalCompression)));
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}

function requireStreets(layers: unknown): void {
  // Not every tool lists the layers. Without a list we believe that they are there.
  if (!Array.isArray(layers)) return;
  const names = layers.map((layer) => (layer as { id?: unknown } | null)?.id);
  if (!names.includes(requiredLayer)) {
    throw new UnfitArchive(`it has no layer "${requiredLayer}": its tiles do not follow the Protomaps schema`);
  }
}

/** What is wrong with a file, in a few words for the log. */
export function explainArchive(path: string, error: unknown): string {
  const name = basename(path);
  if (error instanceof UnfitArchive) return `${name}: ${error.message}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `${name} is missing`;
  if (code === "EACCES" || code === "EPERM") return `${name} must not be read by this user (${code})`;
  const reason = error instanceof Error ? error.message : String(error);
  return `${name} is damaged, or is no PMTiles archive of version 3 (${reason})`;
}
