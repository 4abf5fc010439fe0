import { BoundedMap } from "../../domain/bounded-map.ts";
import { type Visibility, viewerKey } from "../../domain/visibility.ts";
import { type ReadyBody, readyBody, taggedBody } from "../../http/ready-body.ts";
import {
  counterKey,
  countersOfViewers,
  countersOnWorker,
  type Viewer,
  type ViewerCounters,
  viewerCounters,
  viewerOf,
} from "../../store/changes/viewer-counters.ts";
import { type Database, isEmbedded } from "../../store/database.ts";
import { type DeviceIdentity, type DeviceRow, deviceIdentity } from "../../store/fleet/devices.ts";
import { SharedStatement, StatementPerAccount } from "../../store/shared-statement.ts";
import { UntilCommit } from "../../store/until-commit.ts";
import type { DeviceName } from "../../store/visible.ts";
import { DeviceText } from "../records/device.ts";
import { OpenStreams } from "./open-streams.ts";

/** So many requests share one statement. */
const maxAsked = 500;

/** Some hundred bytes each. */
const maxFollowers = 20_000;

/** The same. */
const maxSeenDevices = 20_000;

interface SeenDevice {
  readonly revision: number;
  readonly device: DeviceIdentity;
}

/** What is cached between calls. All of it is exact: it is used only as long as the store has the same. */
export class ApiCache {
  readonly latestPages = new ReadyPages({ isTagged: true });
  readonly devicePages = new ReadyPages({ isTagged: false });
  readonly deviceTexts = new DeviceTexts();
  readonly streams = new OpenStreams();
  readonly #database: Database;
  readonly #counters: UntilCommit<ViewerCounters>;
  /** Null: an embedded store answers at once. */
  readonly #shared: { ask(viewer: Viewer): Promise<ViewerCounters> } | null;
  readonly #quiet = new BoundedMap<string, { until: number }>({ max: maxFollowers });
  readonly #seenDevices = new BoundedMap<string, SeenDevice>({ max: maxSeenDevices });

  constructor(database: Database) {
    this.#database = database;
    this.#counters = new UntilCommit(database);
    this.#shared = isEmbedded(database) ? null : sharedCounters(database);
  }

  counters(visibility: Visibility): Promise<ViewerCounters> {
    if (this.#shared) return this.#shared.ask(viewerOf(visibility));
    return this.#counters.get(viewerKey(visibility), (database) => viewerCounters(database, visibility));
  }

  /** The number up to which a follower's question found no changes: its next search begins there. */
  quietSince(visibility: Visibility, question: string): { until: number } {
    const key = `${viewerKey(visibility)} ${question}`;
    const known = this.#quiet.get(key) ?? { until: 0 };
    this.#quiet.set(key, known);
    return known;
  }

  /** A device is known while the viewer's devices are the same, which `counters` say. */
  async device(
    visibility: Visibility,
    name: DeviceName,
    counters: () => Promise<ViewerCounters>,
  ): Promise<DeviceIdentity | null> {
    // Links have no counters of their own.
    if (visibility.sees === "shared") return deviceIdentity(this.#database, visibility, name);
    // An IMEI looks like no id.
    const key = `${viewerKey(visibility)} ${"id" in name ? name.id : name.imei}`;
    // Read before the device: a change in between makes it newer than its revision, never older.
    const { devices: revision } = await counters();
    const known = this.#seenDevices.get(key);
    if (known?.revision === revision) return known.device;
    const device = await deviceIdentity(this.#database, visibility, name);
    if (device) this.#seenDevices.set(key, { revision, device });
    return device;
  }
}

function sharedCounters(database: Database) {
  const max = maxAsked;
  return database.isDistributed
    ? new StatementPerAccount({
        max,
        groupOf: ({ accountId }) => database.workerOf?.(accountId) ?? accountId,
        keyOf: counterKey,
        run: (viewers: readonly Viewer[]) => countersOnWorker(database, viewers),
      })
    : new SharedStatement({ max, run: (viewers: readonly Viewer[]) => countersOfViewers(database, viewers) });
}

/** Half a kilobyte each. */
const maxTexts = 50_000;

type Texts = BoundedMap<number, DeviceText>;

interface OfViewer {
  readonly revision: number;
  readonly texts: Texts;
}

/** Parts of devices, as JSON, that frames do not change. They hold while the viewer's revision is the same. */
class DeviceTexts {
  /** A viewer weighs one more than its number of texts, so that viewers without any are bounded, too. */
  readonly #ofViewer = new BoundedMap<string, OfViewer>({ max: maxTexts, weigh: (_, { texts }) => texts.size + 1 });

  at(visibility: Visibility, revision: number): Pick<Texts, "get"> {
    const known = this.#ofViewer.get(viewerKey(visibility));
    return known?.revision === revision ? known.texts : none;
  }

  add(visibility: Visibility, revision: number, rows: readonly DeviceRow[]): void {
    const known = this.#ofViewer.get(viewerKey(visibility));
    const ofViewer = known?.revision === revision ? known : { revision, texts: newTexts() };
    for (const row of rows) ofViewer.texts.set(row.device, new DeviceText(row));
    // Set again, because it weighs more now.
    this.#ofViewer.set(viewerKey(visibility), ofViewer);
  }
}

const none = newTexts();

/** One viewer alone may use all the room. */
function newTexts(): Texts {
  return new BoundedMap({ max: maxTexts - 1 });
}

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
    return this.#isTagged ? taggedBody(bytes, 1, besides) : readyBody(bytes, null);
  }
}

/** Twice the body, and its compressed forms, made at the first request: each takes less than a quarter. */
function weightOf(key: string, { body }: Pick<ReadyPage, "body">): number {
  return overheadBytes + 2 * key.length + 2.5 * body.bytes.byteLength;
}
