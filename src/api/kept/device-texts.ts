import type { Visibility } from "../../domain/visibility.ts";
import type { DeviceRow } from "../../store/devices.ts";
import { type DeviceText, deviceText } from "../records/device.ts";

/** Half a kilobyte each. */
const mostTexts = 50_000;

interface OfViewer {
  readonly revision: number;
  readonly texts: Map<number, DeviceText>;
}

/**
 * What a viewer's devices show that frames do not change, as JSON, by the device's number. It is true as long as the
 * viewer's revision of the devices stays; most of a page is made of it, however many frames come in.
 */
export class DeviceTexts {
  readonly #ofViewer = new Map<string, OfViewer>();
  #count = 0;

  /** Those of this revision, to look into. */
  at(visibility: Visibility, revision: number): ReadonlyMap<number, DeviceText> {
    return this.#at(visibility, revision).texts;
  }

  add(visibility: Visibility, revision: number, rows: readonly DeviceRow[]): void {
    if (this.#count + rows.length > mostTexts) this.#forget();
    const { texts } = this.#at(visibility, revision);
    this.#count -= texts.size;
    for (const row of rows) texts.set(row.device, deviceText(row));
    this.#count += texts.size;
  }

  #at({ userId }: Visibility, revision: number): OfViewer {
    const known = this.#ofViewer.get(userId);
    if (known?.revision === revision) return known;
    this.#count -= known?.texts.size ?? 0;
    const none = { revision, texts: new Map<number, DeviceText>() };
    this.#ofViewer.set(userId, none);
    return none;
  }

  #forget(): void {
    this.#ofViewer.clear();
    this.#count = 0;
  }
}
