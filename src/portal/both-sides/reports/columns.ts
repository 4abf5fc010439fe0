import type { Place } from "../../../domain/geometry/distance.ts";
import type { Detail, Show } from "../reading/show.ts";
import type { Texts } from "../texts/texts.ts";
import type { Cell } from "./cells.ts";
import { durationCell, durationUnit, type FileCell, figureCell, measureCell, timeCell } from "./files/file-cells.ts";
import type { FileColumn } from "./files/shown-table.ts";
import type { ReportScope } from "./scope.ts";
import type { SortValue } from "./sorting.ts";
import type { Total } from "./totals.ts";

/** A column of a report. `Sums` is what a row of totals adds up: rows, or what the server added up already. */
export interface ReportColumn<Row, Sums = Row> extends FileColumn<Row, Sums> {
  /** As it is in the address. */
  readonly id: string;
  readonly cell: (row: Row) => Cell;
  /** What rows are sorted by; absent: they cannot be sorted by it. */
  readonly value?: (row: Row) => SortValue;
  /** Numbers stand at the right, and begin with the greatest when sorted. */
  readonly isNumeric?: boolean;
  readonly isRowHeader?: boolean;
  readonly total?: (rows: readonly Sums[]) => string;
}

/** A column of figures: its cells are plain texts. */
interface Figures<Row, Sums> extends ReportColumn<Row, Sums> {
  readonly cell: (row: Row) => string;
}

interface Way {
  readonly distance_km: number;
  /** Null: not known. */
  readonly carried_km: number | null;
}

/** Makes the columns of a report: one method for each kind of value. */
export class ColumnWriter<Row extends Sums, Sums = Row> {
  readonly texts: Texts;
  readonly show: Show;
  readonly scope: Pick<ReportScope, "devices" | "zone" | "list" | "period" | "chosen" | "hasDrivers">;

  constructor(texts: Texts, show: Show, scope: ColumnWriter<Row, Sums>["scope"]) {
    this.texts = texts;
    this.show = show;
    this.scope = scope;
  }

  text(id: string, title: string, value: (row: Row) => string): ReportColumn<Row, Sums> {
    return { id, title, value, cell: value, file: value };
  }

  /** The vehicle's name, and in files its plate; until the vehicles are loaded, what else it is known by. */
  vehicle(of: (row: Row) => readonly [deviceId: string, otherwise: string]): ReportColumn<Row, Sums> {
    const { devices } = this.scope;
    const name = this.text("vehicle", this.texts.common.vehicle, (row) => {
      const [deviceId, otherwise] = of(row);
      return devices?.get(deviceId)?.name ?? otherwise;
    });
    const plate = (row: Row) => devices?.get(of(row)[0])?.plate ?? "";
    return { ...name, beside: { title: this.texts.reports.plate, file: plate } };
  }

  /** When it began, which leads to that moment in playback. */
  moment(id: string, title: string, of: (row: Row) => readonly [deviceId: string, at: string | number]) {
    const { zone } = this.scope;
    return {
      id,
      title,
      unit: this.show.zone,
      file: (row: Row) => timeCell(+new Date(of(row)[1]), "minute", this.show),
      isRowHeader: true,
      cell: (row: Row): Cell => {
        const [deviceId, at] = of(row);
        return { kind: "moment", deviceId, at, zone };
      },
      value: (row: Row) => +new Date(of(row)[1]),
    };
  }

  time(id: string, title: string, at: (row: Row) => string | null, otherwise: string, detail: Detail = "minute") {
    return {
      id,
      title,
      unit: this.show.zone,
      file: (row: Row) => {
        const moment = at(row);
        return moment === null ? otherwise : timeCell(Date.parse(moment), detail, this.show);
      },
      cell: (row: Row): Cell => {
        const moment = at(row);
        return moment === null ? otherwise : { kind: "time", at: moment, detail };
      },
      value: (row: Row) => {
        const moment = at(row);
        return moment === null ? null : Date.parse(moment);
      },
    };
  }

  place(id: string, title: string, of: (row: Row) => Place | null): ReportColumn<Row, Sums> {
    const cell = (row: Row): Cell => {
      const place = of(row);
      return place === null ? this.texts.common.unknown : { kind: "place", place };
    };
    const file = (row: Row) => {
      const place = of(row);
      return place === null ? this.texts.common.unknown : { place };
    };
    return { id, title, cell, file };
  }

  number(id: string, title: string, value: (row: Sums) => number | null, total?: Total): Figures<Row, Sums> {
    return this.#numeric(id, title, value, { text: (count) => this.show.number(count), file: figureCell }, total);
  }

  distance(id: string, title: string, km: (row: Sums) => number | null, total?: Total): Figures<Row, Sums> {
    const { show } = this;
    const written = {
      text: (value: number) => show.distance(value),
      file: (value: number) => measureCell(show.distanceIn(value)),
      unit: show.distanceUnit,
    };
    return this.#numeric(id, title, km, written, total);
  }

  /** Kilometres driven, and beside them those that the vehicle was carried, which are no part of them. */
  way(id: string, title: string, of: (row: Sums) => Way, total: Total): ReportColumn<Row, Sums> {
    const driven = this.distance(id, title, (row) => of(row).distance_km, total);
    const carried = (km: number | null) =>
      (km ?? 0) > 0 ? this.texts.reports.carried(this.show.distance(km ?? 0)) : null;
    const filed = (km: number | null) => ((km ?? 0) > 0 ? measureCell(this.show.distanceIn(km ?? 0)) : "");
    return {
      ...driven,
      cell: (row) => {
        const text = carried(of(row).carried_km);
        return text === null ? driven.cell(row) : [driven.cell(row), { kind: "aside", text }];
      },
      beside: {
        title: this.texts.reports.carriedDistance,
        unit: this.show.distanceUnit,
        file: (row) => filed(of(row).carried_km),
        fileTotal: (rows) => filed(total(rows.map((row) => of(row).carried_km))),
      },
      total: (rows) => {
        const text = carried(total(rows.map((row) => of(row).carried_km)));
        return text === null ? (driven.total?.(rows) ?? "") : `${driven.total?.(rows)}\n(${text})`;
      },
    };
  }

  duration(id: string, title: string, seconds: (row: Sums) => number | null, total?: Total): Figures<Row, Sums> {
    const written = { text: (value: number) => this.show.duration(value), file: durationCell, unit: durationUnit };
    return this.#numeric(id, title, seconds, written, total);
  }

  speed(id: string, title: string, kmh: (row: Sums) => number | null, total?: Total): Figures<Row, Sums> {
    const { show } = this;
    const written = {
      text: (value: number) => show.speed(value),
      file: (value: number) => figureCell(show.speedIn(value)),
      unit: show.speedUnit,
    };
    return this.#numeric(id, title, kmh, written, total);
  }

  #numeric(
    id: string,
    title: string,
    value: (row: Sums) => number | null,
    { text, file, unit }: WrittenFigure,
    total?: Total,
  ): Figures<Row, Sums> {
    const { unknown } = this.texts.common;
    const shown = (known: number | null) => (known === null ? unknown : text(known));
    const filed = (known: number | null) => (known === null ? unknown : file(known));
    const column = {
      id,
      title,
      unit,
      isNumeric: true,
      value,
      cell: (row: Row) => shown(value(row)),
      file: (row: Row) => filed(value(row)),
    };
    if (total === undefined) return column;
    const totalOf = (rows: readonly Sums[]) => total(rows.map(value));
    return { ...column, total: (rows) => shown(totalOf(rows)), fileTotal: (rows) => filed(totalOf(rows)) };
  }
}

/** A figure on the screen, and in a file, where the unit is in the head. */
interface WrittenFigure {
  readonly text: (value: number) => string;
  readonly file: (value: number) => FileCell;
  readonly unit?: string;
}
