import type { Html } from "./html.ts";

/** A section of the guide: its anchor, its title and its text. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}
