/** A port of 127.0.0.1 on which nobody listens, and which no other test process is given. */
export function freePort(): Promise<number>;
