export const playback = { title: "Playback" };
