export { account } from "./account.ts";
export { alerts } from "./alerts.ts";
export { common, errors, shell, signIn } from "./common.ts";
export { credentials, keys, usage } from "./keys.ts";
export { map } from "./map.ts";
export { playback } from "./playback.ts";
export { reports } from "./reports.ts";
export { yesterday } from "./yesterday.ts";
