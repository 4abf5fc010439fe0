/** What people call the columns of vehicles, in the languages of the portal. The first that fits counts. */
const columnNames = [
  ["imei", /^imei\b/i],
  ["tracker_id", /^(tracker[ _-]*(id|kennung)|(id|identificador) d[eo]l? rastreador)\b/i],
  ["tracker_protocol", /^((tracker[ _-]*)?protocol|protocolo|(tracker-)?protokoll)\b/i],
  ["tracker_model", /^(tracker[ _-]*(model|type|modell|typ)|modelo d[eo]l? rastreador)\b/i],
  ["tracker_clock", /^(tracker[ _-]*(clock|uhr)|reloj del rastreador|relógio do rastreador)\b/i],
  ["vehicle_make", /^((vehicle[ _-]*)?make|manufacturer|marca|fabricante|marke|hersteller)\b/i],
  ["vehicle_model", /^((vehicle[ _-]*)?model|modelo|modell)\b/i],
  ["vehicle_year", /^((vehicle[ _-]*|model[ _-]*)?year|año|ano|baujahr)(?![a-z])/i],
  ["vehicle_type", /^((vehicle[ _-]*)?type|kind|tipo|art|fahrzeugart|fahrzeugtyp)\b/i],
  ["vin", /^(vin|chassis|chasis|chassi|bastidor|fin|fahrgestellnummer)\b/i],
  ["fuel_tank_capacity_l", /^(fuel[ _-]*)?(tank|capacidad del depósito|depósito|tanque|capacidade do tanque)/i],
  ["tags", /^(tags?|groups?|etiquetas?|grupos?|etikett(en)?|markierung(en)?|gruppen?)\b/i],
  ["external_ids", /^external[ _-]*ids?[ .:_-]+\S/i],
  ["name", /^(name|nombre|nome|bezeichnung|vehicle|vehículo|veículo|fahrzeug)\b/i],
  ["plate", /^(plate|matr[ií]cula|placa|kennzeichen|registration)\b/i],
] as const;

export type SheetColumn = (typeof columnNames)[number][0];

export interface HeadedColumns {
  /** For each cell of a row; null: it is not read. */
  readonly columns: readonly { readonly column: SheetColumn | null; readonly header: string }[];
  readonly ignored: readonly string[];
}

/** Null: the first row is a vehicle already. A column that is there twice counts once; external ids may be several. */
export function headerOf(cells: readonly string[]): HeadedColumns | null {
  const taken = new Set<SheetColumn>();
  const columns = cells.map((cell) => {
    const header = cell.trim();
    const column = columnNames.find(([, pattern]) => pattern.test(header))?.[0] ?? null;
    const isFirst = column === null || column === "external_ids" || !taken.has(column);
    if (column !== null) taken.add(column);
    return { header, column: isFirst ? column : null };
  });
  if (!taken.has("imei")) return null;
  const ignored = columns.filter(({ column, header }) => column === null && header !== "").map(({ header }) => header);
  return { columns, ignored };
}

/** IMEI, name and plate, as people write them down. */
export function withoutHeader(cells: readonly string[]): HeadedColumns {
  const known = ["imei", "name", "plate"] as const;
  const columns = known.map((column) => ({ column, header: "" }));
  const others = cells
    .slice(known.length)
    .flatMap((cell, index) => (cell.trim() === "" ? [] : index + known.length + 1));
  return { columns, ignored: others.map(String) };
}

const numbers: ReadonlySet<SheetColumn> = new Set(["vehicle_year", "fuel_tank_capacity_l"]);

/** The cells of a row as a line of a fleet file has them, without those that are empty. */
export function describedColumns(cells: readonly string[], { columns }: HeadedColumns): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const externalIds: Record<string, string> = {};
  for (const [index, { column, header }] of columns.entries()) {
    const text = (cells[index] ?? "").trim();
    if (column === null || text === "") continue;
    if (column === "external_ids") externalIds[header.replace(/^external[ _-]*ids?[ .:_-]+/i, "")] = text;
    else if (column === "tags")
      fields.tags = [...new Set(text.split(/[,;|]/).map((tag) => tag.trim()))].filter(Boolean);
    // In many languages a comma stands before the decimals.
    else fields[column] = numbers.has(column) ? Number(text.replace(",", ".")) : text;
  }
  return { ...fields, external_ids: externalIds };
}
