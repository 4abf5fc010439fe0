export const fences = {
  title: "Fences",
};
