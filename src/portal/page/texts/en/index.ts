import { account } from "./account.ts";
import { alerts } from "./alerts.ts";
import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { keys } from "./keys.ts";
import { map } from "./map.ts";
import { playback } from "./playback.ts";
import { reports } from "./reports.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { usage } from "./usage.ts";
import { yesterday } from "./yesterday.ts";

export const en = { common, errors, shell, signIn, keys, usage, account, map, playback, alerts, yesterday, reports };
