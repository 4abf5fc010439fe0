/** The version of the interface, as the specification names it. */
export const apiVersion = "1.0.0";
