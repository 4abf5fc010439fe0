import { unzipSync } from "fflate";
import { SaxesParser } from "saxes";

/** A cell of a workbook: a text, or a number with its format. */
export type ReadCell = string | { readonly value: number; readonly format: string };

/** The rows of the first sheet, as another program reads them. */
export function readSheet(bytes: Uint8Array): ReadCell[][] {
  const files = unzipSync(bytes);
  const text = (name: string) => new TextDecoder().decode(files[`xl/${name}`]);
  const strings = elements(text("sharedStrings.xml"), "t").map(({ content }) => content);
  const styles = text("styles.xml");
  const codes = new Map(elements(styles, "numFmt").map(({ attributes: a }) => [a.numFmtId, a.formatCode]));
  const formats = elements(styles, "xf").map(({ attributes: a }) => codes.get(a.numFmtId ?? "") ?? "General");
  const rows: ReadCell[][] = [];
  for (const { attributes, content } of elements(text("worksheets/sheet1.xml"), "c")) {
    const [, letters = "", row = ""] = /^([A-Z]+)(\d+)$/.exec(attributes.r ?? "") ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    const cells = rows[Number(row) - 1] ?? [];
    rows[Number(row) - 1] = cells;
    while (cells.length < column) cells.push("");
    const format = formats[Number(attributes.s ?? 0)] ?? "General";
    if (content === "") cells[column] = "";
    else cells[column] = attributes.t === "s" ? (strings[Number(content)] ?? "") : { value: Number(content), format };
  }
  return rows;
}

/** How many rows stay in sight while one scrolls. */
export function frozenRows(bytes: Uint8Array): number {
  const sheet = new TextDecoder().decode(unzipSync(bytes)["xl/worksheets/sheet1.xml"]);
  return Number(elements(sheet, "pane")[0]?.attributes.ySplit ?? 0);
}

interface Element {
  readonly attributes: Readonly<Record<string, string>>;
  content: string;
}

function elements(xml: string, name: string): Element[] {
  const found: Element[] = [];
  const parser = new SaxesParser();
  let open: Element | null = null;
  parser.on("opentag", (tag) => {
    if (tag.name !== name) return;
    open = { attributes: tag.attributes as Record<string, string>, content: "" };
    found.push(open);
  });
  parser.on("text", (text) => {
    if (open !== null) open.content += text;
  });
  parser.on("closetag", (tag) => {
    if (tag.name === name) open = null;
  });
  parser.write(xml).close();
  return found;
}
