import type { Place } from "../../../domain/geometry/distance.ts";
import type { Severity } from "../contract/data.ts";
import type { Detail, Show } from "../reading/show.ts";

/** What a table shows in a cell. The page draws it with its links and signs, a mail writes its text. No DOM and no React. */
export type Cell = CellPart | readonly CellPart[];

export type CellPart =
  | string
  | { readonly kind: "time"; readonly at: string | number; readonly detail: Detail }
  /** A time that leads to that moment in playback. */
  | { readonly kind: "moment"; readonly at: string | number; readonly deviceId: string; readonly zone: string }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "link"; readonly to: string; readonly text: string }
  /** Beside the name, such as a plate. */
  | { readonly kind: "aside"; readonly text: string }
  | { readonly kind: "severity"; readonly severity: Severity; readonly text: string };

type NameOf = (place: Place) => Promise<string>;

/** The text of a cell, for a reader without a page. */
export async function cellText(cell: Cell, show: Pick<Show, "time">, nameOf: NameOf): Promise<string> {
  if (Array.isArray(cell)) {
    const texts = await Promise.all(cell.map((part: CellPart) => partText(part, show, nameOf)));
    return texts.join("");
  }
  return partText(cell as CellPart, show, nameOf);
}

async function partText(part: CellPart, show: Pick<Show, "time">, nameOf: NameOf): Promise<string> {
  if (typeof part === "string") return part;
  switch (part.kind) {
    case "time":
      return show.time(+new Date(part.at), part.detail);
    case "moment":
      return show.time(+new Date(part.at), "minute");
    case "place":
      return nameOf(part.place);
    case "link":
    case "severity":
      return part.text;
    case "aside":
      return ` ${part.text}`;
  }
}
