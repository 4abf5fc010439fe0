export * from "./account.ts";
export * from "./alerts.ts";
export * from "./common.ts";
export * from "./keys.ts";
export * from "./map.ts";
export * from "./playback.ts";
export * from "./reports.ts";
export * from "./yesterday.ts";
