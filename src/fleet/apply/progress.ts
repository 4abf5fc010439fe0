/** Called during long work, with how much of it is done. */
export type OnProgress = (step: string, done: number, total: number) => void;
