import { etagOf, type ReadyBody } from "./ready-body.ts";

/** Bodies kept ready, counted in bytes: enough for some thousand pages, nothing against the machine's memory. */
const mostBytes = 64 * 1024 * 1024;

interface KeptPage {
  readonly revision: number;
  readonly body: ReadyBody;
}

/**
 * Pages of the live positions, by viewer and query. As long as the viewer's revision is the one a page was made at, the page
 * is as it was: one number tells, and no row is read.
 */
export class LatestPages {
  readonly #pages = new Map<string, KeptPage>();
  #bytes = 0;

  /** The page, made anew if anything that the viewer sees has changed since. */
  async page(key: string, revision: number, make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<ReadyBody> {
    const kept = this.#pages.get(key);
    if (kept?.revision === revision) return kept.body;
    const bytes = await make();
    const etag = etagOf(bytes);
    // Another page's device has moved: these bytes are the same, and so is everything that was made from them.
    const body = kept?.body.etag === etag ? kept.body : { bytes, etag, compressed: new Map() };
    this.#keep(key, { revision, body });
    return body;
  }

  #keep(key: string, page: KeptPage): void {
    this.#drop(key);
    this.#pages.set(key, page);
    this.#bytes += page.body.bytes.byteLength;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= mostBytes || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const page = this.#pages.get(key);
    if (!page) return;
    this.#pages.delete(key);
    this.#bytes -= page.body.bytes.byteLength;
  }
}
