export const vehicles = {
  title: "Vehicles",
};
