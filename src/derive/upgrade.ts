import { rulesVersion } from "../domain/rules.ts";
import type { Observe } from "../observe/observation.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { countWaiting, waitingDevices, waitingWithLateFrames } from "../store/waiting-devices.ts";
import { Background } from "./pace.ts";
import { type UpgradeParts, upgradeDevice } from "./upgrade-device.ts";

const progressMs = 10_000;

/**
 * After an upgrade with newer rules: derives the devices of earlier ones again, one after the other, those with late frames
 * first. Each node does so; what one of them is deriving, others leave alone. It can end at any time: the store knows which
 * devices are left.
 */
export class Upgrade {
  readonly #parts: UpgradeParts;
  readonly #observe: Observe;
  #begun: { readonly at: number; readonly devices: number } | null = null;
  #frames = 0;
  #saidAt = 0;

  constructor(parts: Omit<UpgradeParts, "onFrames">, observe: Observe) {
    this.#parts = { ...parts, onFrames: (count) => this.#count(count) };
    this.#observe = observe;
  }

  /** Derives what is waiting now. Call it again later: another node may have left something. */
  async run(stop: AbortSignal): Promise<void> {
    const left = await countWaiting(this.#parts.database);
    if (this.#begun === null && left > 0) this.#begin(left);
    if (left > 0) await this.#deriveAll(stop);
    if (this.#begun !== null && !stop.aborted) await this.#say();
  }

  async #deriveAll(stop: AbortSignal): Promise<void> {
    const pace = new Background(stop);
    const tried = new Set<number>();
    let after: DeviceKey | null = null;
    while (!stop.aborted) {
      const late = await this.#nextLate(tried);
      const key: DeviceKey | null = late ?? (await this.#nextAfter(after));
      if (key === null) return;
      if (late === null) after = key;
      if (tried.has(key.device)) continue;
      tried.add(key.device);
      await this.#derive(key, pace);
    }
  }

  async #nextLate(tried: ReadonlySet<number>): Promise<DeviceKey | null> {
    // Those that were tried and still wait have failed.
    const keys = await waitingWithLateFrames(this.#parts.database, Date.now(), tried.size + 1);
    return keys.find(({ device }) => !tried.has(device)) ?? null;
  }

  async #nextAfter(after: DeviceKey | null): Promise<DeviceKey | null> {
    return (await waitingDevices(this.#parts.database, after, Date.now(), 1))[0] ?? null;
  }

  async #derive(key: DeviceKey, pace: Background): Promise<void> {
    try {
      const done = await upgradeDevice(this.#parts, key, pace);
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
    const left = await countWaiting(this.#parts.database);
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
