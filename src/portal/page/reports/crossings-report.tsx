import type { GeofenceEvent } from "../api/records.ts";
import { downloadLinks } from "./downloads.tsx";
import { listReport } from "./list-report.tsx";
import { eventSource } from "./row-source.ts";
import { sum } from "./totals.ts";

export const CrossingsReport = listReport<GeofenceEvent>({
  words: ({ reports }) => ({ caption: reports.kinds.crossings, count: reports.crossings, empty: reports.noCrossings }),
  defaultSort: { column: "time", isDescending: false },
  keyOf: ({ event_id }) => event_id,
  source: ({ list }) => eventSource<GeofenceEvent>(list, "geofence-events"),
  files: (scope) => downloadLinks(scope, "geofence-events", ["csv", "geojson"]),
  columns: (write) => {
    const { reports: words } = write.texts;
    return [
      write.moment("time", words.time, ({ device_id, occurred_at }) => [device_id, occurred_at]),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      write.text("fence", words.fence, ({ geofence_name }) => geofence_name),
      {
        ...write.text("event", words.event, ({ event_type }) => event_type),
        cell: ({ event_type }) => words.events[event_type],
      },
      write.duration("dwell", words.dwell, ({ dwell_s }) => dwell_s, sum),
    ];
  },
});
