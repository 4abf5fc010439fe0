// Made from the description by scripts/client-types.ts: change the description instead.

/** Follow a fleet: what may be asked for. */
export interface ListChangesQuery {
  /** The `resume_after` of an earlier answer: everything that changed since. Opaque, and only for the user whose key it was given to. Omitted: an empty page with the `resume_after` of now. */
  after?: string | undefined;
  /** Only changes of these records, separated by commas: `device`, `position`, `trip`, `stop`, `alert`, `reading`, `geofence`, `geofence_event`, `mileage`, `user`, `alert_settings`, `driver`. Omitted: all that the key's scopes grant. A type whose scope the key lacks is 403, which names all that are missing. */
  types?: string | undefined;
  /** Narrows to one device. Omitted: every device the key can see. A device the key cannot see is 404, same as an unknown one. */
  device_id?: string | undefined;
  /** Narrows to one device by its IMEI, as an alternative to `device_id`. An IMEI the key cannot see is 404, same as an unknown one and as a text that is none. Given both, they must name the same device. */
  imei?: string | undefined;
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** What has become of a record. */
export type ChangeKind = "put" | "removed";
