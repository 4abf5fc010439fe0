import { type Map as GlMap, Marker } from "maplibre-gl";
import type { Position } from "../../../domain/geometry/geojson.ts";
import { type Handle, handleKey, handlesOf } from "./draft-features.ts";
import type { Drawing, Vertex } from "./drawing.ts";

export interface HandleEvents {
  readonly label: (handle: Handle) => string;
  /** While it moves, and then once with `isEnd`. */
  readonly onMove: (handle: Handle, to: Position, isEnd: boolean) => void;
  readonly onSelect: (handle: Handle) => void;
  readonly onClick: (handle: Handle) => void;
  readonly onRemove: (handle: Handle) => void;
}

/** More buttons than this are neither seen apart nor drawn smoothly: then one must zoom in. */
const maxHandles = 300;
/** An arrow key moves a handle this far; with Shift ten times as far. */
const keyPixels = 2;

/** Buttons over the map, one for each handle that is in view. They are moved by mouse, finger and keys. */
export class HandleLayer {
  readonly #map: GlMap;
  readonly #events: () => HandleEvents;
  readonly #markers = new Map<string, { readonly marker: Marker; handle: Handle }>();
  #handles: readonly Handle[] = [];
  #selected: string | null = null;
  /** The one that is being dragged: it follows the finger, not the drawing. */
  #held: string | null = null;
  /** A dot between two points has just become a point: that is what the keys move next. */
  #takesFocus = false;
  readonly #onMoveEnd = () => this.#place();

  constructor(map: GlMap, events: () => HandleEvents) {
    this.#map = map;
    this.#events = events;
    map.on("moveend", this.#onMoveEnd);
  }

  show(drawing: Drawing | null, selected: Vertex | null): void {
    this.#handles = drawing === null ? [] : handlesOf(drawing);
    this.#selected = selected === null ? null : `point ${selected.ring} ${selected.index}`;
    this.#place();
  }

  remove(): void {
    this.#map.off("moveend", this.#onMoveEnd);
    for (const { marker } of this.#markers.values()) marker.remove();
    this.#markers.clear();
  }

  #place(): void {
    const inView = this.#inView();
    const focused = document.activeElement;
    for (const [key, { marker }] of this.#markers) {
      if (inView.has(key) || key === this.#held) continue;
      marker.remove();
      this.#markers.delete(key);
    }
    for (const [key, handle] of inView) {
      const known = this.#markers.get(key);
      if (known) {
        known.handle = handle;
        if (key !== this.#held) known.marker.setLngLat([...handle.position]);
      } else this.#markers.set(key, { marker: this.#make(key, handle), handle });
      const element = this.#markers.get(key)?.marker.getElement();
      element?.classList.toggle("handle-selected", key === this.#selected);
      element?.setAttribute("aria-label", this.#events().label(handle));
    }
    if (this.#takesFocus && this.#selected !== null) {
      this.#takesFocus = false;
      this.#markers.get(this.#selected)?.marker.getElement().focus();
      return;
    }
    // What had the focus may be gone: the map is next.
    if (focused instanceof HTMLElement && !focused.isConnected) this.#map.getCanvas().focus();
  }

  #inView(): Map<string, Handle> {
    const { width, height } = this.#map.getContainer().getBoundingClientRect();
    const near = this.#handles.filter(({ position }) => {
      const { x, y } = this.#map.project([...position]);
      return x > -40 && y > -40 && x < width + 40 && y < height + 40;
    });
    const points = near.filter(({ kind }) => kind !== "middle");
    const shown = near.length <= maxHandles ? near : points.length <= maxHandles ? points : [];
    const selected = near.filter((handle) => handleKey(handle) === this.#selected);
    return new Map([...shown, ...selected].map((handle) => [handleKey(handle), handle]));
  }

  #make(key: string, handle: Handle): Marker {
    const element = document.createElement("button");
    element.type = "button";
    element.className = `handle handle-${handle.kind}`;
    element.dataset.handle = key;
    element.setAttribute("aria-label", this.#events().label(handle));
    const now = () => this.#markers.get(key)?.handle ?? handle;
    const marker = new Marker({ element, draggable: true }).setLngLat([...handle.position]).addTo(this.#map);
    const move = (isEnd: boolean) => {
      const { lng, lat } = marker.getLngLat();
      this.#events().onMove(now(), [lng, lat], isEnd);
    };
    marker.on("dragstart", () => {
      this.#held = key;
      this.#events().onSelect(now());
    });
    marker.on("drag", () => move(false));
    marker.on("dragend", () => {
      this.#held = null;
      move(true);
    });
    element.addEventListener("click", (event) => {
      // The map must not take it for a point of its own.
      event.stopPropagation();
      if (now().kind === "middle") {
        this.#takesFocus = true;
        this.#events().onMove(now(), now().position, true);
      } else this.#events().onClick(now());
    });
    element.addEventListener("focus", () => this.#events().onSelect(now()));
    element.addEventListener("dblclick", (event) => event.stopPropagation());
    element.addEventListener("keydown", (event) => this.#onKey(event, now()));
    return marker;
  }

  #onKey(event: KeyboardEvent, handle: Handle): void {
    const by = arrows[event.key];
    if (by !== undefined) {
      const pixels = keyPixels * (event.shiftKey ? 10 : 1);
      const { x, y } = this.#map.project([...handle.position]);
      const { lng, lat } = this.#map.unproject([x + by[0] * pixels, y + by[1] * pixels]);
      this.#takesFocus = handle.kind === "middle";
      this.#events().onMove(handle, [lng, lat], true);
    } else if (event.key === "Delete" || event.key === "Backspace") this.#events().onRemove(handle);
    else return;
    event.preventDefault();
    // The arrows would move the map as well.
    event.stopPropagation();
  }
}

const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
