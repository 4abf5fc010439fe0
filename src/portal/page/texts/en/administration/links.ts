export const links = {
  title: "Your link",
};
