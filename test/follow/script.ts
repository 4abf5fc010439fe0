import { expect } from "bun:test";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { watchSilence } from "../../src/derive/upkeep/silent-trips.ts";
import type { EngineUnderTest } from "../support/engines.ts";
import { dirtyCount, newWriter } from "../support/ingest-node.ts";
import { sendFrames } from "../support/ingest-server.ts";
import { requireNumbers } from "../support/numbered-changes.ts";
import { until } from "../support/patience.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { actions, deckOf, erasesAndLoads, type Scene, takesAndGivesBack } from "./actions.ts";
import type { FollowedPage, Follower } from "./follower.ts";
import { followersOf } from "./followers.ts";
import { batchesOf, framesOf, type Sending } from "./frames.ts";
import { Nodes } from "./nodes.ts";
import { PortalUser } from "./portal.ts";
import { annId, bobId, type LoadedDevice, World } from "./world.ts";

export interface ScriptOptions {
  readonly seed: number;
  /** In each some people do something, some frames come, and some followers poll, all at once. */
  readonly rounds: number;
  readonly framesPerDay: number;
}

const minuteMs = 60_000;
const days = 3;
const senders = 2;
const lastBatches = 6;

/** One story of a fleet, played by real servers. It ends when nothing is left to do. */
export class Script {
  readonly #random: () => number;
  readonly #options: ScriptOptions;
  readonly #scene: Scene;
  readonly #followers: readonly Follower[];
  readonly #waiting: Sending[][];
  /** What is sent at the very end, when nothing else happens: a single change must be reported, too. */
  readonly #last: Sending[][];
  readonly #withFrames: Set<string>;
  readonly #deck: () => string;
  readonly done: string[] = [];

  private constructor(
    options: ScriptOptions,
    random: () => number,
    scene: Scene,
    followers: readonly Follower[],
    waiting: Sending[][],
  ) {
    this.#options = options;
    this.#random = random;
    this.#scene = scene;
    this.#followers = followers;
    this.#last = waiting.splice(-lastBatches);
    this.#waiting = waiting;
    this.#deck = deckOf(scene.random);
    this.#withFrames = new Set([...this.#waiting, ...this.#last].flat().map(({ deviceId }) => deviceId));
  }

  static async begin(engine: EngineUnderTest, options: ScriptOptions): Promise<Script> {
    const random = randomNumbers(options.seed);
    const ownRandom = () => randomNumbers(Math.floor(random() * 4_294_967_296));
    const world = new World(await engine.fresh());
    await world.load();
    const { database } = world.store;
    if (engine.name === "postgres" && !database.isDistributed) await requireNumbers(database);
    const nodes = await Nodes.start(world.store, engine.name === "postgres" ? 2 : 1, ownRandom());
    const olga = await PortalUser.signIn(nodes, "olga@acme.test");
    const followers = await followersOf(world, nodes, ownRandom);
    const [owner] = followers as [Follower, ...Follower[]];
    const traffic = { seed: options.seed, framesPerDay: options.framesPerDay, days };
    const frames = world.devices.flatMap(({ id }, index) => framesOf(id, index, traffic));
    // One vehicle sends its first frame when most others have sent all of theirs.
    const last = world.devices.at(-1)?.id;
    const late = frames.filter(({ deviceId }) => deviceId === last);
    const usual = frames.filter(({ deviceId }) => deviceId !== last);
    const live = batchesOf(usual, random, 50);
    const most = live.splice(0, live.length - lastBatches);
    const waiting = [...most, ...batchesOf(late, random, 30), ...live];
    // Each has numbers of its own, so that who is faster does not decide what the others do.
    return new Script(options, random, { world, nodes, random: ownRandom(), olga, owner }, followers, waiting);
  }

  async play(): Promise<void> {
    const { rounds } = this.#options;
    const batchesEach = Math.ceil(this.#waiting.length / rounds / senders);
    for (let round = 0; round < rounds || this.#waiting.length > 0; round++) {
      const failed = (
        await Promise.allSettled([
          ...Array.from({ length: senders }, () => this.#send(batchesEach)),
          this.#administer(),
          this.#unsettle(round),
          ...this.#followers.map((follower, index) => this.#follow(follower, index, round)),
        ])
      ).find((result) => result.status === "rejected");
      if (failed) throw failed.reason;
      this.#addTraffic();
    }
    await this.#settle();
  }

  /** Holds what each follower has against what the lists show it. */
  async compare(): Promise<void> {
    for (const follower of this.#followers) {
      // A clock may change something between the poll and the lists: then both are read again.
      for (let isQuiet = false; !isQuiet; ) {
        await follower.catchUp();
        const lists = await follower.lists();
        isQuiet = (await follower.poll()) === "nothing";
        if (!isQuiet) continue;
        const differences = follower.copy.differences(lists);
        if (differences.length > 0) console.log(follower.trace.slice(-50).join("\n"));
        expect([follower.name, differences.length, differences.slice(0, 10)]).toEqual([follower.name, 0, []]);
        for (const [type, rows] of lists) {
          for (const row of type === "device" || type === "driver" ? [] : rows) {
            const shapes = follower.shapes.get(type === "reading" ? `reading of ${row.kind}` : type);
            if (shapes) expect([type, ...shapes]).toEqual([type, Object.keys(row).join()]);
          }
        }
      }
    }
  }

  /** From the token of any page on comes all that came after that page. */
  async compareTokens(): Promise<void> {
    for (const follower of this.#followers) {
      const first = follower.tokens[Math.floor(this.#random() * follower.tokens.length)] ?? "";
      const pages = await follower.changesSince(first, 10 + Math.floor(this.#random() * 100));
      if (pages === null) continue;
      const cut = Math.floor(this.#random() * pages.length);
      const rest = lastOfEach((await follower.changesSince(pages[cut]?.resumeAfter ?? "", 500)) ?? []);
      const missing = [...lastOfEach(pages.slice(cut + 1))].flatMap(([name, change]) =>
        rest.get(name) === change ? [] : [[name, change, rest.get(name)]],
      );
      expect([follower.name, missing]).toEqual([follower.name, []]);
    }
  }

  summary(): string {
    const { world } = this.#scene;
    const counts = this.#followers.map(({ name, changes, unchanged }) => `${name} ${changes}/${unchanged}`);
    return `${world.devices.length} vehicles; changes and 304s of ${counts.join(", ")}`;
  }

  async end(): Promise<void> {
    await this.#scene.nodes.stop();
  }

  async #send(batches: number): Promise<void> {
    const { nodes, world } = this.#scene;
    for (let count = 0; count < batches; count++) {
      const batch = this.#waiting.shift();
      if (batch === undefined) return;
      const { status, body } = await sendFrames(nodes.any().ingestUrl, world.token, batch.map(this.#withImei));
      if (status === null || status >= 500) {
        this.#waiting.unshift(batch);
        return;
      }
      expect(status).toBe(200);
      // A vehicle got another IMEI while this was on its way.
      const refused = (body.refused as { index: number; reason: string }[]).map(({ index, reason }) => {
        expect(reason).toBe("unknown_device");
        return batch[index] as Sending;
      });
      if (refused.length > 0) this.#waiting.push(refused);
    }
  }

  readonly #withImei = ({ deviceId, frame }: Sending) => {
    const { imei } = this.#scene.world.devices.find(({ id }) => id === deviceId) as LoadedDevice;
    return { ...frame, imei };
  };

  async #administer(): Promise<void> {
    for (let left = Math.floor(this.#scene.random() * 5); left > 0; left--) {
      const name = this.#deck();
      this.done.push(name);
      await actions[name]?.[1](this.#scene);
    }
  }

  /** Now and then a server is stopped or killed, in the middle of what the others do. */
  async #unsettle(round: number): Promise<void> {
    const { nodes } = this.#scene;
    if (round % 6 !== 4) return;
    await Bun.sleep(this.#random() * 30);
    const isKill = round % 12 === 4;
    this.done.push(isKill ? "kills a server" : "restarts a server");
    await (isKill ? nodes.kill() : nodes.restart());
  }

  async #follow(follower: Follower, index: number, round: number): Promise<void> {
    const isLazy = follower.name.includes("rarely");
    if (!follower.isStarted) {
      // Each begins at another time.
      if (round >= (index * this.#options.rounds) / (2 * this.#followers.length)) await follower.start();
      return;
    }
    for (let polls = Math.floor(follower.random() * 4); polls > 0; polls--) {
      if (isLazy && follower.random() < 0.9) return;
      await Bun.sleep(follower.random() * 10);
      await follower.poll();
      if (!follower.isStarted) return;
    }
  }

  /** What a vehicle that was added later sends. */
  #addTraffic(): void {
    const { devices } = this.#scene.world;
    const traffic = { seed: this.#options.seed, framesPerDay: Math.ceil(this.#options.framesPerDay / 2), days: 1 };
    for (const [index, { id }] of devices.entries()) {
      if (this.#withFrames.has(id)) continue;
      this.#withFrames.add(id);
      this.#waiting.push(...batchesOf(framesOf(id, index, traffic), this.#random, 20));
    }
  }

  /** Everybody may look again, and nothing is left to derive. */
  async #settle(): Promise<void> {
    const { world } = this.#scene;
    const bob = world.users.find(({ id }) => id === bobId);
    if (bob?.status === "disabled") {
      await world.write([Object.assign(bob, { status: "active" })]);
      world.enabled(bobId);
    }
    await until(() => !world.mayBeRefused(bobId) && !world.mayBeRefused(annId));
    // Nobody polls now.
    for (const name of [takesAndGivesBack, erasesAndLoads]) await actions[name]?.[1](this.#scene);
    await this.#derive();
    for (const follower of this.#followers) {
      await follower.catchUp();
      if (!follower.types.includes("device")) await follower.readErasedAgain(world.erased);
    }
    this.#waiting.push(...this.#last);
    while (this.#waiting.length > 0) await this.#send(this.#waiting.length);
    await this.#derive();
    // Else the servers find it by their clocks, while the tokens are compared.
    const { database } = world.store;
    const later = Date.now() + 10 * minuteMs;
    while ((await watchSilence(database, later)) + (await watchOffline(database, later)) > 0);
  }

  async #derive(): Promise<void> {
    const { database } = this.#scene.world.store;
    await newWriter(database).schedule.deriveLeft();
    await until(async () => (await dirtyCount(database)) === 0);
  }
}

/** How each record came last. */
function lastOfEach(pages: readonly FollowedPage[]): Map<string, string> {
  return new Map(pages.flatMap(({ changes }) => changes.map(({ type, id, change }) => [`${type} ${id}`, change])));
}
