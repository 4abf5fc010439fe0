export * from "./audit.ts";
export * from "./fences.ts";
export * from "./fleet.ts";
export * from "./people.ts";
export * from "./rules.ts";
export * from "./setup.ts";
export * from "./trackers.ts";
export * from "./vehicles.ts";
