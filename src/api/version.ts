import packageFile from "../../package.json" with { type: "json" };

/** The version of the program, which grows with every release. */
export const programVersion: string = packageFile.version;

/** What the program is, in a sentence. */
export const programDescription: string = packageFile.description;

/** The version of the interface, as the specification names it. */
export const apiVersion = "1.0.0";
