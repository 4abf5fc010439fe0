export const trackers = {
  title: "Trackers",
};
