import {
  type Cache,
  type Compression,
  type Entry,
  type Header,
  ResolvedValueCache,
  readVarint,
  type Source,
} from "pmtiles";
import { BoundedMap } from "../../domain/bounded-map.ts";
import { decompressed, tooLarge } from "./decompress.ts";

/** The largest archives, of the whole world, have some 30,000 entries in a directory, in 300 KB. */
const maxEntries = 100_000;
const maxDirectoryBytes = 2 * 1024 * 1024;

/** Fewer bytes than these cannot hold an entry of a directory: it has four numbers. */
const leastEntryBytes = 4;

/** What an entry takes in memory, and a directory beside its entries. */
const entryBytes = 64;
const overheadBytes = 512;

/** Enough for 30 directories of the largest archives, which is where a fleet drives. */
const maxCachedBytes = 64 * 1024 * 1024;

/** The directories of several archives, within one limit of memory. Those that were used last stay. */
export class DirectoryCache implements Cache {
  readonly #headers = new Map<string, Header>();
  readonly #directories: BoundedMap<string, Entry[]>;
  /** Many ask for the tiles of one directory at once. It is read once. */
  readonly #reading = new Map<string, Promise<Entry[]>>();

  constructor(maxBytes = maxCachedBytes) {
    const weigh = (_key: string, directory: Entry[]) => overheadBytes + directory.length * entryBytes;
    this.#directories = new BoundedMap({ max: maxBytes, weigh });
  }

  async getHeader(source: Source): Promise<Header> {
    const key = source.getKey();
    const header = this.#headers.get(key) ?? (await reader().getHeader(source));
    this.#headers.set(key, header);
    return header;
  }

  async getDirectory(source: Source, offset: number, length: number, header: Header): Promise<Entry[]> {
    const key = `${offset} ${length} ${source.getKey()}`;
    const cached = this.#directories.get(key);
    if (cached) return cached;
    const reading = this.#reading.get(key) ?? this.#read(key, source, offset, length, header);
    this.#reading.set(key, reading);
    return reading;
  }

  async invalidate(source: Source): Promise<void> {
    this.#headers.delete(source.getKey());
  }

  /** What the directories take now, by estimate. */
  get bytes(): number {
    return this.#directories.weight;
  }

  async #read(key: string, source: Source, offset: number, length: number, header: Header): Promise<Entry[]> {
    try {
      const directory = await reader().getDirectory(source, offset, length, header);
      this.#directories.set(key, directory);
      return directory;
    } finally {
      this.#reading.delete(key);
    }
  }
}

/** The library's way to read and parse. It also caches, but counts directories, of whatever size: so each is used once. */
function reader(): ResolvedValueCache {
  return new ResolvedValueCache(1, false, decompressedDirectory);
}

/** A directory says how many entries it has. The parser believes it, so we check first: it would never come to an end. */
async function decompressedDirectory(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  const directory = await decompressed(bytes, compression, maxDirectoryBytes);
  const entries = readVarint({ buf: new Uint8Array(directory), pos: 0 });
  if (!(entries * leastEntryBytes <= directory.byteLength)) throw new Error("a directory in it is damaged");
  if (entries > maxEntries) throw tooLarge();
  return directory;
}
