/** A record as it is now; null if it was withdrawn. */
export interface Change<Type extends string, Record> {
  readonly type: Type;
  readonly id: string;
  readonly record: Record | null;
}
