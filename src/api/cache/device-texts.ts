import { BoundedMap } from "../../domain/bounded-map.ts";
import { type Visibility, viewerKey } from "../../domain/visibility.ts";
import type { DeviceRow } from "../../store/fleet/devices.ts";
import { DeviceText } from "../records/device.ts";

/** Half a kilobyte each. */
const maxTexts = 50_000;

type Texts = BoundedMap<number, DeviceText>;

interface OfViewer {
  readonly revision: number;
  readonly texts: Texts;
}

/** Parts of devices, as JSON, that frames do not change. They hold while the viewer's revision is the same. */
export class DeviceTexts {
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
