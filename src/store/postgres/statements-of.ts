/**
 * The statements of a migration. They are sent one by one: Citus passes some of them on to its machines as prepared statements,
 * which hold one each. No text in a migration holds a semicolon at the end of a line, or two dashes.
 */
export function statementsOf(migration: string): string[] {
  const withoutComments = migration.replace(/--.*$/gm, "");
  return withoutComments
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
