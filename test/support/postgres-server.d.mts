export interface ServerOwner {
  readonly uid: number;
  readonly gid: number;
}

export function startPostgres(): Promise<{ url: string; stop(): Promise<void> }>;

/** Where the programs of the installed package are. */
export function nativeDirectory(): string;
/** PostgreSQL refuses to run as root: whom it runs as then; null if we are not root. */
export function serverOwner(): ServerOwner | null;
export function unprivilegedUser(): ServerOwner;
export function copyTree(from: string, to: string, owner: ServerOwner): void;
export { freePort } from "./free-port.mjs";
