import type { Texts } from "../texts.ts";

export const playback: Texts["playback"] = { title: "Verlauf" };
