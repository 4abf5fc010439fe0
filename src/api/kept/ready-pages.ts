import { etagOf, type ReadyBody } from "../../http/ready-body.ts";

/** Bodies kept ready, counted in bytes: enough for some thousand pages, nothing against the machine's memory. */
const mostBytes = 64 * 1024 * 1024;

interface KeptPage {
  readonly revision: number;
  readonly body: ReadyBody;
}

/**
 * Pages of a list, by viewer and query, each with the viewer's revision it was made at. As long as that is the same, the
 * page is as it was: one number tells, and no row is read.
 */
export class ReadyPages {
  readonly #isTagged: boolean;
  readonly #pages = new Map<string, KeptPage>();
  #bytes = 0;

  /** Tagged pages can be asked for with `If-None-Match`. */
  constructor(options: { readonly isTagged: boolean }) {
    this.#isTagged = options.isTagged;
  }

  /** The page, made anew if anything that the viewer sees has changed since. */
  page(key: string, revision: number, make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<ReadyBody> | ReadyBody {
    const kept = this.#pages.get(key);
    return kept?.revision === revision ? kept.body : this.#remake(key, revision, make, kept);
  }

  async #remake(
    key: string,
    revision: number,
    make: () => Promise<Uint8Array<ArrayBuffer>>,
    kept: KeptPage | undefined,
  ): Promise<ReadyBody> {
    const bytes = await make();
    // Another page's device has moved: these bytes are the same, and so is everything that was made from them.
    const isSame = kept !== undefined && Buffer.compare(kept.body.bytes, bytes) === 0;
    const body = isSame ? kept.body : { bytes, etag: this.#isTagged ? etagOf(bytes) : null, compressed: new Map() };
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
