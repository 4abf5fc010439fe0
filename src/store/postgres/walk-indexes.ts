/**
 * Every statement is written so that it walks an index in the order of its result, from table to table. PostgreSQL
 * plans a statement once for all values that it will get, so it has to guess how many rows a window or a page has; with
 * a wrong guess, or without statistics, it read and sorted a year to show a hundred rows.
 */
export const walkIndexes = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
  // Compiling takes longer than running any of them.
  jit: "off",
} as const;
