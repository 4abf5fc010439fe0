import { rulesVersion } from "../../domain/rules.ts";
import type { Observe } from "../../observe/observation.ts";
import { storeNow } from "../../store/clock.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { eachAccount } from "../../store/each-account.ts";
import { countWaitingDevices, nextWaiting, waitingWithLateFrames } from "../../store/facts/waiting-devices.ts";
import type { DeriveDeps } from "../base.ts";
import { Background, foreground, type WorkPace } from "../pace.ts";
import { type UpgradeDeps, upgradeDevice } from "./upgrade-device.ts";

const progressMs = 10_000;

/** Devices with late frames that are found in one account at a time. */
const maxLate = 100;

/** How often to look in all accounts for devices that another node has left: a statement for each account. */
const lookMs = 3_600_000;

/** Looking for late frames in all accounts takes a tenth of the time at most. */
const lookLateFactor = 9;

/**
 * After an upgrade with newer rules: derives the devices of earlier ones again, one after the other and account by account,
 * those with late frames first. Each node does so; what one of them is deriving, others leave alone. It can end at any time: the store knows which
 * devices are left.
 */
export class Upgrade {
  readonly #deps: UpgradeDeps;
  readonly #observe: Observe;
  /** With devices that wait, in order. */
  #accounts: readonly number[] = [];
  #begun: { readonly at: number; readonly devices: number } | null = null;
  #frames = 0;
  #saidAt = 0;
  #lookAt = 0;

  constructor(deps: DeriveDeps, observe: Observe) {
    this.#deps = { ...deps, onFrames: (count) => this.#count(count) };
    this.#observe = observe;
  }

  /** A device was found that waits. */
  want(): void {
    this.#lookAt = 0;
  }

  /** Runs as long as something waits, else once in a while. */
  async runWhenWanted(stop: AbortSignal): Promise<void> {
    if (performance.now() < this.#lookAt) return;
    this.#lookAt = performance.now() + lookMs;
    await this.run(stop);
    if (this.#begun !== null) this.want();
  }

  /** Derives what is waiting now. Call it again later: another node may have left something. */
  async run(stop: AbortSignal): Promise<void> {
    const pace = new Background(stop);
    const left = await this.#countLeft(pace, undefined);
    if (stop.aborted) return;
    if (this.#begun === null && left > 0) this.#begin(left);
    if (left > 0) await this.#deriveAll(pace);
    if (this.#begun !== null && !stop.aborted) await this.#say();
  }

  /** Those of some accounts or of all. */
  async #countLeft(pace: WorkPace, accounts: readonly number[] | undefined): Promise<number> {
    const { database } = this.#deps;
    const found: number[] = [];
    let left = 0;
    const countOf = async (accountId: number) => {
      const count = await countWaitingDevices(database, accountId);
      if (count > 0) found.push(accountId);
      left += count;
    };
    await eachAccount(database, pace, countOf, accounts && { accounts });
    this.#accounts = found;
    return left;
  }

  async #deriveAll(pace: WorkPace): Promise<void> {
    const { database } = this.#deps;
    const late = new LateFirst();
    for (const accountId of this.#accounts) {
      for (let after: number | null = null; ; ) {
        await this.#deriveLate(late, pace);
        if (pace.isStopped) return;
        const key = await nextWaiting(database, accountId, after, await storeNow(database));
        if (key === null) break;
        after = key.device;
        if (late.firstTry(key)) await this.#derive(key, pace);
      }
    }
  }

  /** Frames that come late meanwhile must not wait for the accounts before theirs. */
  async #deriveLate(late: LateFirst, pace: WorkPace): Promise<void> {
    const { database } = this.#deps;
    while (late.isTime() && !pace.isStopped) {
      const keys = await late.look(async () => {
        const now = await storeNow(database);
        const found: DeviceKey[] = [];
        const lookIn = async (accountId: number) => {
          found.push(...(await waitingWithLateFrames(database, accountId, now, maxLate)));
        };
        await eachAccount(database, pace, lookIn, { accounts: this.#accounts });
        return found;
      });
      if (keys.length === 0) return;
      for (const key of keys) if (!pace.isStopped && late.firstTry(key)) await this.#derive(key, pace);
    }
  }

  async #derive(key: DeviceKey, pace: WorkPace): Promise<void> {
    try {
      const done = await upgradeDevice(this.#deps, key, pace);
      if (done) this.#observe({ kind: "device_upgraded", device: key.device, ...done });
    } catch (cause) {
      this.#observe({ kind: "maintenance_failed", task: "newer rules", cause });
    }
  }

  async #count(frames: number): Promise<void> {
    this.#frames += frames;
    if (performance.now() - this.#saidAt > progressMs) await this.#say();
  }

  #begin(devices: number): void {
    this.#begun = { at: performance.now(), devices };
    this.#saidAt = this.#begun.at;
    this.#frames = 0;
    this.#observe({ kind: "rules_upgrade_started", rules: rulesVersion, devices });
  }

  async #say(): Promise<void> {
    if (this.#begun === null) return;
    const { at, devices } = this.#begun;
    const left = await this.#countLeft(foreground, this.#accounts);
    const now = performance.now();
    const seconds = Math.round((now - at) / 1000);
    this.#saidAt = now;
    if (left === 0) {
      this.#begun = null;
      this.#observe({ kind: "rules_upgrade_finished", rules: rulesVersion, devices, frames: this.#frames, seconds });
      return;
    }
    const done = devices - left;
    const secondsLeft = done > 0 ? Math.round((((now - at) / 1000) * left) / done) : null;
    this.#observe({ kind: "rules_upgrade_progress", devices, left, frames: this.#frames, seconds, secondsLeft });
  }
}

/** Which devices this pass has tried, and when it is time to look for late frames again. */
class LateFirst {
  readonly #tried = new Set<number>();
  #lookAt = 0;

  /** Notes that it is tried. False: it was before, and failed, since it still waits. */
  firstTry({ device }: DeviceKey): boolean {
    const isFirst = !this.#tried.has(device);
    this.#tried.add(device);
    return isFirst;
  }

  isTime(): boolean {
    return performance.now() >= this.#lookAt;
  }

  async look(find: () => Promise<DeviceKey[]>): Promise<DeviceKey[]> {
    const began = performance.now();
    const found = await find();
    const now = performance.now();
    this.#lookAt = now + (now - began) * lookLateFactor;
    return found.filter(({ device }) => !this.#tried.has(device));
  }
}
