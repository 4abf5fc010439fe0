export function createSupervisedDirectory(options?: {
  owner?: { uid: number; gid: number } | null;
  steps?: string;
}): Promise<{
  directory: string;
  step(name: string, argument?: string): Promise<number>;
  remove(): Promise<void>;
}>;
