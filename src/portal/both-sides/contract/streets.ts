import type { Call, One } from "./envelopes.ts";

export interface StreetRoutes {
  "GET /fleet/streets": Call<One<StreetSetup>>;
  "POST /fleet/streets/uploads": Call<One<StreetUpload>, { readonly file_name: string; readonly bytes: number }>;
  /** The bytes that begin at `at`, as they are. */
  "PUT /fleet/streets/uploads/{upload_id}": Call<One<StreetUpload>, Blob>;
  "POST /fleet/streets/uploads/{upload_id}/finish": Call<One<StreetSetup>>;
  "DELETE /fleet/streets/uploads/{upload_id}": Call<void>;
  "DELETE /fleet/streets/archives/{name}": Call<One<StreetSetup>>;
}

/** Where the streets of the map come from, and what the owner can do about it. */
export interface StreetSetup {
  /** Why only the people who run the server can set them up; null: the owner uploads them. */
  readonly by_operator: "several_accounts" | "several_nodes" | "configured" | null;
  readonly archives: readonly StreetArchive[];
  /** How large a file may be now; null where none is uploaded. */
  readonly room_bytes: number | null;
  /** How much of a file is sent at once. */
  readonly piece_bytes: number;
}

export interface StreetArchive {
  readonly name: string;
  readonly bytes: number;
}

export interface StreetUpload {
  readonly upload_id: string;
  readonly bytes: number;
  readonly received: number;
}
