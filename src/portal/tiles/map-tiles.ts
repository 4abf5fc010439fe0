import type { BoundingBox } from "../../domain/geometry/bounding-box.ts";
import type { Observe } from "../../observe/observation.ts";
import { type Archive, explainArchive, openArchive, type Tile } from "./archive.ts";
import { listArchives } from "./archive-list.ts";
import { boundsOfAll, candidates, coveredShare } from "./coverage.ts";
import { DirectoryCache } from "./directory-cache.ts";

/** What the page must know to draw the streets. */
export interface TilesDescription {
  /** Part of a tile's address, so that a browser may cache it for ever. */
  readonly version: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: BoundingBox;
  readonly attribution: string;
  /** Whether some archives end at a smaller zoom than others: their last tiles are then drawn larger. */
  readonly isSparse: boolean;
}

export type FoundTile =
  | { readonly outcome: "tile"; readonly tile: Tile; readonly version: string }
  | { readonly outcome: "empty"; readonly version: string }
  /** There is nothing at this zoom, but there may be at a smaller one. */
  | { readonly outcome: "coarser" }
  | { readonly outcome: "unusable" };

/** How soon a replaced archive is noticed. To look takes some 0.1 ms. */
const lookEveryMs = 2_000;

interface Opened {
  readonly fingerprint: string;
  readonly version: string;
  readonly archives: readonly Archive[];
  /** Of the files of the archives. */
  readonly marks: readonly string[];
  readonly isEmpty: boolean;
}

const nothingYet: Opened = { fingerprint: "", version: "", archives: [], marks: [], isEmpty: false };

export interface MapTilesOptions {
  readonly clock?: () => number;
  /** Whether it is no trouble if there is nothing yet: nobody has said that there is. */
  readonly mayBeEmpty?: boolean;
}

/**
 * The street tiles of a file or a folder of files. It looks again whenever a tile is requested, at most every two seconds: so an
 * archive may be added, replaced or removed at any time. Trouble with it is reported once, and never thrown.
 */
export class MapTiles {
  readonly #path: string;
  readonly #observe: Observe;
  readonly #clock: () => number;
  readonly #mayBeEmpty: boolean;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<Opened> = Promise.resolve(nothingYet);
  /** What was reported of each path as it is now. */
  #reported = new Map<string, string>();

  constructor(path: string, observe: Observe, options: MapTilesOptions = {}) {
    const { clock = () => performance.now(), mayBeEmpty = false } = options;
    this.#path = path;
    this.#observe = observe;
    this.#clock = clock;
    this.#mayBeEmpty = mayBeEmpty;
  }

  /** Whether there should be streets, and are none. */
  async hasProblem(): Promise<boolean> {
    const { archives, isEmpty } = await this.#look();
    return archives.length === 0 && !(isEmpty && this.#mayBeEmpty);
  }

  /** The files have just been changed. */
  lookNow(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Null if there is no archive that can be used. */
  async describe(): Promise<TilesDescription | null> {
    const { archives, version } = await this.#look();
    if (archives.length === 0) return null;
    const maxZooms = new Set(archives.map(({ maxZoom }) => maxZoom));
    return {
      version,
      minZoom: Math.min(...archives.map(({ minZoom }) => minZoom)),
      maxZoom: Math.max(...maxZooms),
      bounds: boundsOfAll(archives),
      attribution: [...new Set(archives.map(({ attribution }) => attribution))].join(" | "),
      isSparse: maxZooms.size > 1,
    };
  }

  /** Of a damaged archive another one takes the place, if it has the tile. What cannot be read must not be cached. */
  async tile(z: number, x: number, y: number, takesGzip = true): Promise<FoundTile> {
    const opened = await this.#look();
    const { archives, version } = opened;
    if (archives.length === 0) return { outcome: "unusable" };
    let isDamaged = false;
    for (const archive of candidates(archives, z, x, y)) {
      try {
        const tile = await archive.tile(z, x, y, takesGzip);
        if (tile) return { outcome: "tile", tile, version };
      } catch (error) {
        // It may have been replaced, and so closed, while it was read.
        if ((await this.#looking) !== opened) return this.tile(z, x, y, takesGzip);
        this.#reportDamage(archive, error);
        isDamaged = true;
      }
    }
    if (isDamaged) return { outcome: "unusable" };
    const hasCoarser = archives.some(({ maxZoom, bounds }) => maxZoom < z && coveredShare(bounds, z, x, y) > 0);
    return hasCoarser ? { outcome: "coarser" } : { outcome: "empty", version };
  }

  async close(): Promise<void> {
    const { archives } = await this.#looking;
    await closeAll(archives);
  }

  #look(): Promise<Opened> {
    const now = this.#clock();
    if (now - this.#lookedAt >= lookEveryMs) {
      this.#lookedAt = now;
      this.#looking = this.#looking.then((opened) => this.#refreshed(opened));
    }
    return this.#looking;
  }

  async #refreshed(before: Opened): Promise<Opened> {
    const { files, fingerprint, problem, isEmpty } = await listArchives(this.#path);
    if (fingerprint === before.fingerprint) return before;
    const known = this.#reported;
    this.#reported = new Map();
    let isReported = false;
    const report = (path: string, reason: string) => {
      this.#reported.set(path, reason);
      // The same trouble as before is not worth another line, such as of a file that is being copied.
      if (known.get(path) === reason) return;
      isReported = true;
      this.#say(reason);
    };
    if (problem !== null && !(isEmpty && this.#mayBeEmpty)) report(this.#path, problem);
    const directories = new DirectoryCache();
    const archives: Archive[] = [];
    const marks: string[] = [];
    for (const { path, mark } of files) {
      try {
        archives.push(await openArchive(path, directories));
        marks.push(mark);
        // Some of its tiles are damaged, and it has not changed since.
        const reason = known.get(path);
        if (reason !== undefined && before.marks.includes(mark)) this.#reported.set(path, reason);
      } catch (error) {
        report(path, explainArchive(path, error));
      }
    }
    await closeAll(before.archives);
    const version = versionOf(marks);
    if (archives.length > 0 && version !== before.version) {
      const maxZoom = Math.max(...archives.map((archive) => archive.maxZoom));
      this.#observe({ kind: "map_tiles_in_use", path: this.#path, archives: archives.length, maxZoom });
    }
    const isLast = archives.length === 0 && before.archives.length > 0;
    if (isLast && !isReported && !(isEmpty && this.#mayBeEmpty)) this.#say("no archive is left that can be used");
    return { fingerprint, version, archives, marks, isEmpty };
  }

  /** Once for each file: a damaged one has many damaged tiles. */
  #reportDamage({ path }: Archive, error: unknown): void {
    if (this.#reported.has(path)) return;
    const reason = explainArchive(path, error);
    this.#reported.set(path, reason);
    this.#say(reason);
  }

  #say(reason: string): void {
    this.#observe({ kind: "map_tiles_unusable", path: this.#path, reason });
  }
}

async function closeAll(archives: readonly Archive[]): Promise<void> {
  await Promise.all(archives.map((archive) => archive.close()));
}

function versionOf(marks: readonly string[]): string {
  return new Bun.CryptoHasher("sha256").update(marks.join()).digest("base64url").slice(0, 12);
}
