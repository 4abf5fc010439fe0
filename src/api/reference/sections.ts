import type { Html } from "./html.ts";

/** A part of the guide: its anchor, its title, and what it says. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}
