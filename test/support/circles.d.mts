export type Circle = "first" | "rest";
/** Null under `bun test` alone: everything, with as few rounds as in the first circle. */
export function circle(): Circle | null;
/** The engines on which a file runs in a circle. `path` is from the root, `text` what is in the file. */
export function enginesOf(inCircle: Circle | null, path: string, text: string): readonly ("sqlite" | "postgres")[];
/** The test files that have nothing to do in a circle. */
export function filesOutside(inCircle: Circle, root: string): string[];
/** All of them, from the root. */
export function testFiles(root: string): string[];
/** Files that only the rest runs, and what the first circle holds of their subject. */
export function leftToRest(): [path: string, instead: string][];
/** Files outside of the folders that run on both engines in the first circle, and do all the same. */
export function chosenForBoth(): string[];
