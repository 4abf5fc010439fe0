import type { DirectoryEntry } from "../../store/fleet/device-writes.ts";
import type { UserRow } from "../../store/fleet/users.ts";

/** Public id of an account to its internal number. */
export type AccountNumbers = ReadonlyMap<string, number>;

/** The users that a file names, as they are after loading, by id. */
export type KnownUsers = ReadonlyMap<string, UserRow>;

/** The devices that a file names, as they are after loading, by id. */
export type KnownDevices = ReadonlyMap<string, DirectoryEntry>;
