export const map = {
  title: "Map",
  canvas: "Map. Arrow keys move it, plus and minus zoom",
  styleUnusable: "The map style of the settings cannot be loaded. This is the built-in map.",
  streetsUnusable: "The streets cannot be loaded. This is the coarse map.",
};
