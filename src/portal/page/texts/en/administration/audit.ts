export const audit = {
  title: "Log",
};
