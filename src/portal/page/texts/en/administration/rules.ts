export const rules = {
  title: "Alert rules",
};
