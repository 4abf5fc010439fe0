export function findBun(): string | null;
export function bunArguments(words: readonly string[]): string[];
export function whenNpmIsGone(act: () => void): void;
export function launch(words: readonly string[]): void;
