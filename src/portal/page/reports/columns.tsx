import type { ReactNode } from "react";
import type { Place as Position } from "../../../domain/geometry/distance.ts";
import { Link } from "../common/navigation/route.tsx";
import { momentPath } from "../common/periods/paths.ts";
import type { Detail, Show } from "../common/reading/show.ts";
import { Time } from "../common/reading/time.tsx";
import { Place } from "../places/place.tsx";
import type { Texts } from "../texts/texts.ts";
import type { ReportScope } from "./scope.ts";
import type { SortValue } from "./sorting.ts";
import type { Total } from "./totals.ts";

/** A column of a report. `Sums` is what a row of totals adds up: rows, or what the server added up already. */
export interface Column<Row, Sums = Row> {
  /** As it is in the address. */
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are sorted by; absent: they cannot be sorted by it. */
  readonly value?: (row: Row) => SortValue;
  /** Numbers stand at the right, and begin with the greatest when sorted. */
  readonly isNumeric?: boolean;
  readonly isRowHeader?: boolean;
  readonly total?: (rows: readonly Sums[]) => ReactNode;
}

/** Makes the columns of a report: one method for each kind of value. */
export class ColumnWriter<Row extends Sums, Sums = Row> {
  readonly texts: Texts;
  readonly show: Show;
  readonly scope: Pick<ReportScope, "devices" | "zone" | "list">;

  constructor(texts: Texts, show: Show, scope: ColumnWriter<Row, Sums>["scope"]) {
    this.texts = texts;
    this.show = show;
    this.scope = scope;
  }

  text(id: string, title: string, value: (row: Row) => string): Column<Row, Sums> {
    return { id, title, value, cell: value };
  }

  /** The vehicle's name; until the vehicles are loaded, what else it is known by. */
  vehicle(of: (row: Row) => readonly [deviceId: string, otherwise: string]): Column<Row, Sums> {
    return this.text("vehicle", this.texts.common.vehicle, (row) => {
      const [deviceId, otherwise] = of(row);
      return this.scope.devices?.get(deviceId)?.name ?? otherwise;
    });
  }

  /** When it began, which leads to that moment in playback. */
  moment(id: string, title: string, of: (row: Row) => readonly [deviceId: string, at: string | number]) {
    const { zone } = this.scope;
    return {
      id,
      title,
      isRowHeader: true,
      cell: (row: Row): ReactNode => {
        const [deviceId, at] = of(row);
        return <MomentLink deviceId={deviceId} at={at} zone={zone} />;
      },
      value: (row: Row) => +new Date(of(row)[1]),
    };
  }

  time(id: string, title: string, at: (row: Row) => string | null, otherwise: string, detail: Detail = "minute") {
    return {
      id,
      title,
      cell: (row: Row) => {
        const moment = at(row);
        return moment === null ? otherwise : <Time at={moment} detail={detail} />;
      },
      value: (row: Row) => {
        const moment = at(row);
        return moment === null ? null : Date.parse(moment);
      },
    };
  }

  place(id: string, title: string, of: (row: Row) => Position | null): Column<Row, Sums> {
    const cell = (row: Row) => {
      const place = of(row);
      return place === null ? (
        this.texts.common.unknown
      ) : (
        <Place latitude={place.latitude} longitude={place.longitude} />
      );
    };
    return { id, title, cell };
  }

  number(id: string, title: string, value: (row: Sums) => number | null, total?: Total): Column<Row, Sums> {
    return this.#numeric(id, title, value, (count) => this.show.number(count), total);
  }

  distance(id: string, title: string, km: (row: Sums) => number | null, total?: Total): Column<Row, Sums> {
    return this.#numeric(id, title, km, (value) => this.show.distance(value), total);
  }

  duration(id: string, title: string, seconds: (row: Sums) => number | null, total?: Total): Column<Row, Sums> {
    return this.#numeric(id, title, seconds, (value) => this.show.duration(value), total);
  }

  speed(id: string, title: string, kmh: (row: Sums) => number | null, total?: Total): Column<Row, Sums> {
    return this.#numeric(id, title, kmh, (value) => this.show.speed(value), total);
  }

  #numeric(
    id: string,
    title: string,
    value: (row: Sums) => number | null,
    text: (value: number) => string,
    total?: Total,
  ): Column<Row, Sums> {
    const shown = (known: number | null) => (known === null ? this.texts.common.unknown : text(known));
    const column = { id, title, isNumeric: true, value, cell: (row: Row) => shown(value(row)) };
    return total === undefined ? column : { ...column, total: (rows) => shown(total(rows.map(value))) };
  }
}

interface MomentLinkProps {
  readonly deviceId: string;
  readonly at: string | number;
  readonly zone: string;
}

export function MomentLink({ deviceId, at, zone }: MomentLinkProps) {
  return (
    <Link to={momentPath(deviceId, at, zone)}>
      <Time at={at} />
    </Link>
  );
}
