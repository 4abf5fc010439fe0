import Flatbush from "flatbush";
import type { DeviceFences, FenceInForce } from "../domain/device-context.ts";
import type { BoundingBox } from "../domain/geometry/bounding-box.ts";
import { boundingBox, metresPerDegree, radiansPerDegree } from "../domain/geometry/bounding-box.ts";
import type { Place } from "../domain/geometry/distance.ts";
import { type FenceArea, prepareFence } from "../domain/geometry/fence-area.ts";
import type { FenceShape } from "../domain/geometry/fence-shape.ts";
import { degreesEast } from "../domain/geometry/longitudes.ts";
import { unbrokenSince, type Version, versionInForce } from "../domain/versions.ts";

/** A fence as it is from a moment on, with the devices that are assigned to it from then on. */
export interface FenceVersion {
  readonly fenceId: string;
  readonly name: string;
  readonly validFrom: number;
  readonly shape: FenceShape;
  readonly devices: ReadonlySet<number>;
}

/** Consecutive versions of one shape share it: adding a device to a fence does not move the fence. */
interface ShapeOverTime {
  readonly fenceId: string;
  readonly shape: FenceShape;
  readonly from: number;
  /** Made when a device first comes near. Most fences of a long history never see one. */
  area: FenceArea | null;
}

interface VersionOfFence {
  readonly index: number;
  readonly name: string;
  readonly devices: ReadonlySet<number>;
  readonly shape: ShapeOverTime;
}

type History = readonly Version<VersionOfFence>[];

const unassigned: DeviceFences = { near: () => [], find: () => null, unchangedSince: Number.NEGATIVE_INFINITY };

/** All fences of an account over all time, in one spatial index, rebuilt when one of them changes. */
export class AccountFences {
  readonly #histories = new Map<string, History>();
  /** By the number of their box in the index. */
  readonly #shapes: ShapeOverTime[] = [];
  readonly #index: Flatbush | null;
  /** By device: the fences that it was ever assigned to. */
  readonly #unchangedSince = new Map<number, number>();

  constructor(versions: readonly FenceVersion[]) {
    const boxes: BoundingBox[] = [];
    for (const [fenceId, versionsOfFence] of Map.groupBy(versions, (version) => version.fenceId)) {
      const history = historyOf(versionsOfFence);
      this.#histories.set(fenceId, history);
      this.#noteDevices(history);
      for (const shape of new Set(history.map(({ content }) => content.shape))) {
        const [west, south, east, north] = boundingBox(shape.shape);
        for (const box of withoutSeam(west, south, east < west ? east + 360 : east, north)) {
          this.#shapes.push(shape);
          boxes.push(box);
        }
      }
    }
    this.#index = indexOf(boxes);
  }

  get size(): number {
    return this.#histories.size;
  }

  #noteDevices(history: History): void {
    // The first version has been in force for ever.
    const since = history.length > 1 ? (history.at(-1)?.validFrom ?? 0) : Number.NEGATIVE_INFINITY;
    for (const { content } of history) {
      for (const device of content.devices) {
        this.#unchangedSince.set(device, Math.max(this.#unchangedSince.get(device) ?? since, since));
      }
    }
  }

  /** A device that was never assigned to a fence costs nothing. */
  of(device: number): DeviceFences {
    const unchangedSince = this.#unchangedSince.get(device);
    return unchangedSince === undefined ? unassigned : this.#assigned(device, unchangedSince);
  }

  #assigned(device: number, unchangedSince: number): DeviceFences {
    const known = new Map<VersionOfFence, FenceInForce>();
    const assignedVersion = (fenceId: string, at: number): VersionOfFence | null => {
      const version = versionInForce(this.#histories.get(fenceId) ?? [], at)?.content;
      return version?.devices.has(device) ? version : null;
    };
    const inForce = (version: VersionOfFence): FenceInForce => {
      const fence = known.get(version) ?? fenceFor(device, this.#histories.get(version.shape.fenceId) ?? [], version);
      known.set(version, fence);
      return fence;
    };
    const find = (fenceId: string, at: number): FenceInForce | null => {
      const version = assignedVersion(fenceId, at);
      return version && inForce(version);
    };
    const near = (at: number, from: Place, to: Place, marginMetres: number): readonly FenceInForce[] => {
      const boxes = boxesAround(from, to, marginMetres);
      const mayRepeat = boxes.length > 1 || boxes.some(([west, , east]) => east - west === 360);
      const found: FenceInForce[] = [];
      for (const [west, south, east, north] of boxes) {
        for (const number of this.#index?.search(west, south, east, north) ?? []) {
          const shape = this.#shapes[number] as ShapeOverTime;
          const version = assignedVersion(shape.fenceId, at);
          if (version?.shape !== shape) continue;
          const fence = inForce(version);
          if (!mayRepeat || !found.includes(fence)) found.push(fence);
        }
      }
      return found;
    };
    return { near, find, unchangedSince };
  }
}

function historyOf(versions: readonly FenceVersion[]): History {
  const history: Version<VersionOfFence>[] = [];
  for (const version of versions.toSorted((one, other) => one.validFrom - other.validFrom)) {
    const { fenceId, name, devices, validFrom } = version;
    const last = history.at(-1)?.content.shape;
    const isSame = last !== undefined && JSON.stringify(last.shape) === JSON.stringify(version.shape);
    const from = last === undefined ? Number.NEGATIVE_INFINITY : validFrom;
    const shape = isSame ? last : { fenceId, shape: version.shape, from, area: null };
    history.push({ validFrom, content: { index: history.length, name, devices, shape } });
  }
  return history;
}

function fenceFor(device: number, history: History, { index, name, shape }: VersionOfFence): FenceInForce {
  const isAssigned = (version: number) => history[version]?.content.devices.has(device) ?? false;
  const beginOf = (version: number) => (version === 0 ? Number.NEGATIVE_INFINITY : (history[version]?.validFrom ?? 0));
  shape.area ??= prepareFence(shape.shape);
  return {
    id: shape.fenceId,
    name,
    area: shape.area,
    versionFrom: shape.from,
    assignedFrom: unbrokenSince(history, index, ({ devices }) => devices.has(device)),
    firstAssignedFrom: beginOf(history.findIndex((_, version) => isAssigned(version))),
  };
}

/** A box that may extend beyond ±180, as one or two that do not. */
function withoutSeam(west: number, south: number, east: number, north: number): BoundingBox[] {
  if (east - west >= 360) return [[-180, south, 180, north]];
  if (west < -180)
    return [
      [-180, south, east, north],
      [west + 360, south, 180, north],
    ];
  if (east > 180)
    return [
      [west, south, 180, north],
      [-180, south, east - 360, north],
    ];
  return [[west, south, east, north]];
}

function boxesAround(from: Place, to: Place, marginMetres: number): BoundingBox[] {
  const margin = marginMetres / metresPerDegree;
  const south = Math.min(from.latitude, to.latitude) - margin;
  const north = Math.max(from.latitude, to.latitude) + margin;
  const shrink = Math.cos(Math.max(Math.abs(south), Math.abs(north)) * radiansPerDegree);
  // Where the margin reaches a pole, every longitude is near.
  const marginEast = Math.max(-south, north) < 90 ? margin / shrink : 360;
  const east = degreesEast(from.longitude, to.longitude);
  const west = from.longitude + Math.min(0, east) - marginEast;
  return withoutSeam(west, south, west + Math.abs(east) + 2 * marginEast, north);
}

function indexOf(boxes: readonly BoundingBox[]): Flatbush | null {
  if (boxes.length === 0) return null;
  const index = new Flatbush(boxes.length);
  for (const [west, south, east, north] of boxes) index.add(west, south, east, north);
  index.finish();
  return index;
}
