import { BoundedMap } from "../../domain/bounded-map.ts";
import { type Visibility, viewerKey } from "../../domain/visibility.ts";
import {
  type ChangeNumbers,
  changeNumbers,
  countersInAccount,
  countersOfViewers,
  type ViewerRevisions,
  viewerRevisions,
} from "../../store/changes/viewers.ts";
import { type Database, isEmbedded } from "../../store/database.ts";
import { type DeviceIdentity, deviceIdentity, deviceIdentityByImei } from "../../store/fleet/devices.ts";
import { SharedStatement, StatementPerAccount } from "../../store/shared-statement.ts";
import { UntilCommit } from "../../store/until-commit.ts";
import { DeviceTexts } from "./device-texts.ts";
import { OpenStreams } from "./open-streams.ts";
import { ReadyPages } from "./ready-pages.ts";

/** So many requests share one statement. */
const maxAsked = 500;

/** Some hundred bytes each. */
const maxFollowers = 20_000;

/** What is cached between calls. All of it is exact: it is used only as long as the store has the same. */
export class ApiCache {
  readonly latestPages = new ReadyPages({ isTagged: true });
  readonly devicePages = new ReadyPages({ isTagged: false });
  readonly deviceTexts = new DeviceTexts();
  readonly streams = new OpenStreams();
  readonly #revisions: UntilCommit<ViewerRevisions>;
  /** Null: an embedded store answers at once. */
  readonly #shared: { ask(viewer: Visibility): Promise<ViewerRevisions & ChangeNumbers> } | null;
  readonly #changeNumbers: UntilCommit<ChangeNumbers>;
  readonly #quiet = new BoundedMap<string, { until: number }>({ max: maxFollowers });
  readonly #identities: UntilCommit<DeviceIdentity | null>;

  constructor(database: Database) {
    this.#revisions = new UntilCommit(database);
    this.#shared = isEmbedded(database) ? null : sharedCounters(database);
    this.#changeNumbers = new UntilCommit(database);
    this.#identities = new UntilCommit(database);
  }

  /** How often what the viewer sees has changed. */
  revisions(visibility: Visibility): Promise<ViewerRevisions> {
    if (this.#shared) return this.#shared.ask(visibility);
    return this.#revisions.get(viewerKey(visibility), (database) => viewerRevisions(database, visibility));
  }

  /** How far the viewer's changes are counted. */
  changeNumbers(visibility: Visibility): Promise<ChangeNumbers> {
    if (this.#shared) return this.#shared.ask(visibility);
    return this.#changeNumbers.get(viewerKey(visibility), (database) => changeNumbers(database, visibility));
  }

  /** Up to which number a follower's changes were searched in vain, by its question: it asks again from there. */
  quietSince(visibility: Visibility, question: string): { until: number } {
    const key = `${viewerKey(visibility)} ${question}`;
    const known = this.#quiet.get(key) ?? { until: 0 };
    this.#quiet.set(key, known);
    return known;
  }

  device(visibility: Visibility, id: string): Promise<DeviceIdentity | null> {
    const key = `${viewerKey(visibility)} ${id}`;
    return this.#identities.get(key, (database) => deviceIdentity(database, visibility, id));
  }

  /** An IMEI looks like no id, so both share a cache. */
  deviceByImei(visibility: Visibility, imei: string): Promise<DeviceIdentity | null> {
    const key = `${viewerKey(visibility)} ${imei}`;
    return this.#identities.get(key, (database) => deviceIdentityByImei(database, visibility, imei));
  }
}

function sharedCounters(database: Database) {
  const max = maxAsked;
  return database.isDistributed
    ? new StatementPerAccount({ max, run: (viewers: readonly Visibility[]) => countersInAccount(database, viewers) })
    : new SharedStatement({ max, run: (viewers: readonly Visibility[]) => countersOfViewers(database, viewers) });
}
