import { BoundedMap } from "../../domain/bounded-map.ts";
import { type ReadyBody, taggedBody } from "../../http/ready-body.ts";

/** Enough for some thousand pages, and little memory. */
const maxBytes = 64 * 1024 * 1024;

/** What a page takes besides its bytes. An empty one measured 500 to 600 bytes of heap. */
const overheadBytes = 800;

interface MadePage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly next: string | null;
  /** Whether the bytes say it, too. If not, the tag must. */
  readonly showsNext: boolean;
}

interface ReadyPage {
  readonly revision: number;
  readonly body: ReadyBody;
  readonly next: string | null;
}

/** Pages by viewer and query, each with the revision it was made at: while that is the same, no row is read. */
export class ReadyPages {
  readonly #isTagged: boolean;
  readonly #pages = new BoundedMap<string, ReadyPage>({ max: maxBytes, weigh: weightOf });

  /** Tagged pages can be requested with `If-None-Match`. */
  constructor(options: { readonly isTagged: boolean }) {
    this.#isTagged = options.isTagged;
  }

  /** What all pages take, in bytes: at most 64 MB. */
  get weight(): number {
    return this.#pages.weight;
  }

  /** The page, made again if anything that the viewer sees has changed since. */
  async page(key: string, revision: number, make: () => Promise<MadePage>): Promise<ReadyPage> {
    const known = this.#pages.get(key);
    if (known?.revision === revision) return known;
    const { bytes, next, showsNext } = await make();
    // Only a device of another page has changed: the same bytes have the same tag and compressed forms.
    const isSame = known?.next === next && Buffer.compare(known.body.bytes, bytes) === 0;
    const body = isSame ? known.body : this.#bodyOf(bytes, showsNext ? "" : (next ?? ""));
    const page = { revision, body, next };
    this.#pages.set(key, page);
    return page;
  }

  #bodyOf(bytes: Uint8Array<ArrayBuffer>, besides: string): ReadyBody {
    return this.#isTagged ? taggedBody(bytes, 1, besides) : { bytes, etag: null, compressed: new Map() };
  }
}

/** The compressed forms, made at the first request, are counted in advance: each takes less than a quarter of the body. */
function weightOf(key: string, { body }: ReadyPage): number {
  return overheadBytes + 2 * key.length + 1.5 * body.bytes.byteLength;
}
