import type { Change } from "../api/change.ts";
import type { Alert } from "../api/records.ts";

export type AlertChange = Pick<Change<"alert", Alert>, "id" | "record">;
