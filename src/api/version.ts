import packageFile from "../../package.json" with { type: "json" };

/** The version of the program, which grows with every release. */
export const programVersion: string = packageFile.version;

/** The version of the interface, as the specification names it. */
export const apiVersion = "1.0.0";
