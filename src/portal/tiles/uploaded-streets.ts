import { mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { checkArchiveHead, explainArchive, headBytes, openArchive } from "./archive.ts";
import { archiveEnding } from "./archive-list.ts";
import { columnOf, rowOf } from "./coverage.ts";
import { DirectoryCache } from "./directory-cache.ts";
import type { MapTiles } from "./map-tiles.ts";
import { UnfitArchive, type UnfitReason } from "./unfit-archive.ts";

/** What is on the disk: the owner's archives, and how much more there is room for. */
export interface StreetFiles {
  readonly archives: readonly { readonly name: string; readonly bytes: number }[];
  /** That an upload may take. */
  readonly roomBytes: number;
}

export interface Upload {
  readonly id: string;
  readonly name: string;
  /** All of it. */
  readonly bytes: number;
  /** So far. */
  readonly received: number;
}

interface UnderWay extends Upload {
  received: number;
  lastAt: number;
}

/** Why an upload was refused, in words for the page to translate. */
export type UploadProblem = UnfitReason | "too_large" | "no_room" | "too_many" | "busy" | "gone" | "out_of_order";

export class UploadRefused extends Error {
  readonly problem: UploadProblem;

  constructor(problem: UploadProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export interface UploadLimits {
  /** A country of the size of Germany or France has 3 to 6 GB. */
  readonly maxBytes: number;
  /** What the store needs to go on writing. */
  readonly spareBytes: number;
}

const usualLimits: UploadLimits = { maxBytes: 8e9, spareBytes: 1e9 };
/** A region each. */
const maxArchives = 16;

/** An upload that has stopped makes way for another. */
const abandonedMs = 60_000;

/** What the disk has not written yet is bounded, so that the end of an upload need not wait for it. */
const syncEveryBytes = 32 * 1024 * 1024;

/** Not listed as an archive. There is one, whatever happens. */
const partName = ".upload";

/**
 * Archives that an owner uploads into the data directory, a piece at a time. One is in use when it is complete and has been
 * opened as a server of tiles would; before, nothing but this reads it. Nothing of what a browser sends becomes a path.
 */
export class UploadedStreets {
  readonly #folder: string;
  readonly #tiles: Pick<MapTiles, "lookNow">;
  readonly #limits: UploadLimits;
  readonly #clock: () => number;
  #upload: UnderWay | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    folder: string,
    tiles: Pick<MapTiles, "lookNow">,
    limits: UploadLimits = usualLimits,
    clock: () => number = () => performance.now(),
  ) {
    this.#folder = folder;
    this.#tiles = tiles;
    this.#limits = limits;
    this.#clock = clock;
  }

  async files(): Promise<StreetFiles> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(archiveEnding)).sort();
    const sizes = await Promise.all(names.map((name) => stat(join(this.#folder, name)).catch(() => null)));
    const archives = names.flatMap((name, index) => {
      const found = sizes[index];
      return found ? [{ name, bytes: found.size }] : [];
    });
    return { archives, roomBytes: await this.#room() };
  }

  /** Takes the place of an upload that has stopped, and of one by the same name that is in use once it is complete. */
  begin(fileName: string, bytes: number): Promise<Upload> {
    return this.#inTurn(async () => {
      if (this.#upload !== null && this.#clock() - this.#upload.lastAt < abandonedMs) {
        throw new UploadRefused("busy", "another upload is under way; wait until it has ended");
      }
      if (bytes > this.#limits.maxBytes) throw new UploadRefused("too_large", `at most ${this.#limits.maxBytes} bytes`);
      this.#upload = null;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await rm(this.#partPath, { force: true });
      if (bytes > (await this.#room())) throw new UploadRefused("no_room", "the disk has no room for it");
      const name = archiveName(fileName);
      const { archives } = await this.files();
      if (archives.length >= maxArchives && !archives.some((archive) => archive.name === name)) {
        throw new UploadRefused("too_many", `there are ${maxArchives} archives already; remove one first`);
      }
      const file = await open(this.#partPath, "wx", 0o600);
      await file.close();
      this.#upload = { id: crypto.randomUUID(), name, bytes, received: 0, lastAt: this.#clock() };
      return { ...this.#upload };
    });
  }

  /** The piece that begins at the byte. One that was stored already, because its answer was lost, is not stored again. */
  write(id: string, at: number, piece: Uint8Array): Promise<Upload> {
    return this.#inTurn(async () => {
      const upload = this.#require(id);
      if (at + piece.length === upload.received) return { ...upload };
      if (at !== upload.received || piece.length === 0 || at + piece.length > upload.bytes) {
        throw new UploadRefused("out_of_order", `expected the piece from byte ${upload.received} on`);
      }
      // A file of another kind is refused before a gigabyte of it has come.
      if (at === 0) await this.#orDrop(async () => checkHead(piece, upload.bytes));
      const file = await open(this.#partPath, "r+");
      try {
        await file.write(piece, 0, piece.length, at);
        const received = at + piece.length;
        if (Math.floor(received / syncEveryBytes) > Math.floor(at / syncEveryBytes)) await file.datasync();
        upload.received = received;
        upload.lastAt = this.#clock();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        await this.#drop();
        throw new UploadRefused("no_room", "the disk is full");
      } finally {
        await file.close();
      }
      return { ...upload };
    });
  }

  /** Checks the archive and puts it into use. Returns its name. */
  finish(id: string): Promise<string> {
    return this.#inTurn(async () => {
      const { name, bytes, received } = this.#require(id);
      if (received !== bytes) throw new UploadRefused("out_of_order", `expected the piece from byte ${received} on`);
      await this.#orDrop(() => checkWhole(this.#partPath));
      const file = await open(this.#partPath, "r+");
      await file.sync();
      await file.close();
      await rename(this.#partPath, join(this.#folder, name));
      this.#upload = null;
      this.#tiles.lookNow();
      return name;
    });
  }

  cancel(id: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#upload?.id === id) await this.#drop();
    });
  }

  /** Whether there was one by this name. */
  remove(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const { archives } = await this.files();
      if (!archives.some((archive) => archive.name === name)) return false;
      await rm(join(this.#folder, name), { force: true });
      this.#tiles.lookNow();
      return true;
    });
  }

  get #partPath(): string {
    return join(this.#folder, partName);
  }

  #require(id: string): UnderWay {
    if (this.#upload?.id !== id) throw new UploadRefused("gone", "this upload has ended; begin again");
    return this.#upload;
  }

  async #room(): Promise<number> {
    // Of the folder above, as long as there is none of ours.
    const found = await statfs(this.#folder).catch(() => statfs(join(this.#folder, "..")));
    return Math.max(0, Math.min(this.#limits.maxBytes, found.bavail * found.bsize - this.#limits.spareBytes));
  }

  async #orDrop(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      await this.#drop();
      if (error instanceof UnfitArchive) throw new UploadRefused(error.reason, error.message);
      throw new UploadRefused("damaged", explainArchive("the file", error));
    }
  }

  async #drop(): Promise<void> {
    this.#upload = null;
    await rm(this.#partPath, { force: true });
  }

  /** One after the other: two tabs must not write into one file. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

async function checkHead(piece: Uint8Array, bytes: number): Promise<void> {
  checkArchiveHead(Uint8Array.from(piece.subarray(0, headBytes)).buffer, bytes);
}

/** As it is opened when it is used, and one tile of it. */
async function checkWhole(path: string): Promise<void> {
  const archive = await openArchive(path, new DirectoryCache());
  try {
    const [west, south, east, north] = archive.bounds;
    const size = 2 ** archive.minZoom;
    const tile = (share: number) => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
    const [x, y] = [tile(columnOf((west + east) / 2)), tile(rowOf((south + north) / 2))];
    await archive.tile(archive.minZoom, x, y, false);
  } finally {
    await archive.close();
  }
}

/** Letters and digits of what the person's file is called: never a path, nor a hidden file. */
function archiveName(fileName: string): string {
  const words = fileName
    .replace(/\.pmtiles$/i, "")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase();
  return `${words || "streets"}${archiveEnding}`;
}
