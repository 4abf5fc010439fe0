import { basename } from "node:path";
import { bytesToHeader, Compression, type Header, PMTiles, TileType } from "pmtiles";
import type { BoundingBox } from "../../domain/geometry/bounding-box.ts";
import { ArchiveFile, endsTooEarly } from "./archive-file.ts";
import { decompressed, maxTileBytes } from "./decompress.ts";
import type { DirectoryCache } from "./directory-cache.ts";
import { UnfitArchive, type UnfitReason } from "./unfit-archive.ts";

export interface Tile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isGzip: boolean;
}

/** An archive of street tiles on disk. */
export interface Archive {
  readonly path: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: BoundingBox;
  /** Whom the map must name, as HTML. */
  readonly attribution: string;
  /** Null if the archive has nothing there. Compressed only if the archive has it so, and `takesGzip`. */
  readonly tile: (z: number, x: number, y: number, takesGzip: boolean) => Promise<Tile | null>;
  readonly close: () => Promise<void>;
}

/** How an archive begins: version 2 had less of it. */
const magic = "PMTiles";
export const headBytes = 127;

/** Of real archives it takes some 10 KB. */
const maxMetadataBytes = 1024 * 1024;

/** The street style draws this layer of the Protomaps schema; without it there are no streets. */
const requiredLayer = "roads";

/** The schema holds what OpenStreetMap knows, which must be said also where an archive does not say it. */
const defaultAttribution = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>';

/** It is part of every session. */
const maxAttributionLength = 500;

export async function openArchive(path: string, directories: DirectoryCache): Promise<Archive> {
  const file = await ArchiveFile.open(path);
  try {
    await requireWhole(file);
    // Tiles are passed on as they are, if they can be.
    const tiles = new PMTiles(file, directories, async (bytes) => bytes);
    const header = await tiles.getHeader();
    const { attribution, vector_layers } = await readMetadata(file, header);
    requireStreets(vector_layers);
    return {
      path,
      minZoom: header.minZoom,
      maxZoom: header.maxZoom,
      bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
      attribution: creditOf(attribution),
      async tile(z, x, y, takesGzip) {
        const found = await tiles.getZxy(z, x, y);
        return found === undefined ? null : toTile(found.data, header.tileCompression, takesGzip);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Browsers understand gzip everywhere, and no other compression everywhere. A tile that is sent as it is gets inflated,
 * too: a browser shows nothing in place of a damaged one, and says nothing. It asks once, and then has it for ever.
 */
async function toTile(data: ArrayBuffer, compression: Compression, takesGzip: boolean): Promise<Tile> {
  const plain = await decompressed(data, compression, maxTileBytes);
  if (compression === Compression.Gzip && takesGzip) return { bytes: new Uint8Array(data), isGzip: true };
  return { bytes: new Uint8Array(plain), isGzip: false };
}

/**
 * The words of an attribution and its links to other sites; of one that is too long its words only. Nothing else of what
 * an archive says becomes a part of the page.
 */
function creditOf(attribution: unknown): string {
  if (typeof attribution !== "string") return defaultAttribution;
  const words = plainText(attribution);
  if (words.length > maxAttributionLength) return `${words.slice(0, maxAttributionLength - 1)}…`;
  const parts = attribution.split(/(<a\s[^<>]*>[^<>]*<\/a>)/i);
  const credit = parts.map((part) => linkIn(part) ?? plainText(part)).join("");
  return (credit.length > maxAttributionLength ? words : credit) || defaultAttribution;
}

function plainText(html: string): string {
  return html.replace(/<[^<>]*>/g, "").replace(/[<>]/g, "");
}

function linkIn(part: string): string | null {
  const [, address, text = ""] =
    /^<a\s(?:[^<>]*\s)?href=["'](https?:\/\/[^"'<>\s]+)["'][^<>]*>([^<>]*)<\/a>$/i.exec(part) ?? [];
  return address === undefined ? null : `<a href="${address}">${text}</a>`;
}

/** One that was cut off, such as by a full disk, is refused now and not at the first tile that is missing. */
async function requireWhole(file: ArchiveFile): Promise<void> {
  const { data } = await file.getBytes(0, headBytes);
  checkArchiveHead(data, file.bytes);
}

/** What the first bytes of a file of this length say: whether it is an archive, of vector tiles, and whole. */
export function checkArchiveHead(data: ArrayBuffer, fileBytes: number): void {
  if (!new TextDecoder().decode(data).startsWith(magic))
    throw new UnfitArchive("no_archive", "it does not begin like one");
  if (data.byteLength < headBytes) throw endsTooEarly();
  const header = bytesToHeader(data);
  const { leafDirectoryLength = 0, tileDataLength = 0 } = header;
  const ends = [
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    // Without leaves the offset may be anything.
    leafDirectoryLength > 0 ? header.leafDirectoryOffset + leafDirectoryLength : 0,
    header.tileDataOffset + tileDataLength,
  ];
  if (Math.max(...ends) > fileBytes) throw endsTooEarly();
  requireVectorTiles(header);
}

function requireVectorTiles({ tileType, minZoom, maxZoom }: Header): void {
  if (tileType !== TileType.Mvt) {
    const kind = TileType[tileType]?.toUpperCase() ?? "of an unknown kind";
    throw new UnfitArchive("no_vector_tiles", `its tiles are ${kind}, not vector tiles (MVT)`);
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
  const text = new TextDecoder().decode(await decompressed(data, internalCompression, maxMetadataBytes));
  const metadata: unknown = JSON.parse(text);
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}

function requireStreets(layers: unknown): void {
  // Not every tool lists the layers. Without a list we believe that they are there.
  if (!Array.isArray(layers)) return;
  const names = layers.map((layer) => (layer as { id?: unknown } | null)?.id);
  if (!names.includes(requiredLayer)) {
    throw new UnfitArchive(
      "no_roads",
      `it has no layer "${requiredLayer}": its tiles do not follow the Protomaps schema`,
    );
  }
}

/** Nothing is broken: it is an archive of something else. */
const otherKinds: readonly UnfitReason[] = ["no_vector_tiles", "no_roads"];

/** What is wrong with a file, in a few words for the log. */
export function explainArchive(path: string, error: unknown): string {
  const name = basename(path);
  if (error instanceof UnfitArchive && otherKinds.includes(error.reason)) return `${name}: ${error.message}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `${name} is missing`;
  if (code === "EACCES" || code === "EPERM") return `${name} must not be read by this user (${code})`;
  const reason = error instanceof Error ? error.message : String(error);
  return `${name} is damaged, or is no PMTiles archive of version 3 (${reason})`;
}
