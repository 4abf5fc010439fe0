import type { Database, Reader, Transaction } from "../../src/store/database.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { noting } from "./altered.ts";
import { isOnCluster } from "./postgres-databases.ts";

/** A step of a plan as PostgreSQL tells of it after it ran. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
  /** On a Citus cluster: how many parts are sent to its machines. */
  readonly "Distributed Query"?: { readonly Job: { readonly "Task Count": number } };
}

/** Planned once for all values, or for the values at hand. */
export type PlanMode = "force_generic_plan" | "force_custom_plan";

/** The plans by which PostgreSQL ran what a query asked, prepared by the client as in the program. */
export async function executedPlans(
  database: Database,
  mode: PlanMode,
  query: (reader: Reader) => unknown,
): Promise<PlanNode[]> {
  return database.transaction(async (tx) => {
    // Citus plans for the values at hand only.
    await tx.run(plainSql(`set local plan_cache_mode = ${isOnCluster ? "force_custom_plan" : mode}`));
    const asked: Sql[] = [];
    await query(noting(tx, (statement) => asked.push(statement)));
    const plans: PlanNode[] = [];
    for (const statement of asked) plans.push(await executedPlan(tx, statement));
    return plans;
  });
}

async function executedPlan(tx: Transaction, statement: Sql): Promise<PlanNode> {
  const { text, values } = statement;
  const literals = values.map((value) => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`));
  // Citus shows how it divides a statement, but not one that is prepared.
  const call = isOnCluster
    ? text.replace(/\$(\d+)/g, (_, number) => literals[number - 1] ?? "null")
    : await executeOf(tx, text, literals);
  const row = await tx.get<{ "QUERY PLAN": string | readonly { readonly Plan: PlanNode }[] }>(
    plainSql(`explain (analyze, buffers, timing off, format json) ${call}`),
  );
  const output = row?.["QUERY PLAN"] ?? "[]";
  const [explained] = typeof output === "string" ? JSON.parse(output) : output;
  return explained.Plan;
}

async function executeOf(tx: Transaction, text: string, literals: readonly string[]): Promise<string> {
  // The client prepares the same text once more for smaller numbers: the one for the largest takes all.
  const prepared = await tx.get<{ name: string }>(sql`
    select name from pg_prepared_statements where statement = ${text}
    order by (select count(*) from unnest(parameter_types) as types (type) where type = 'bigint'::regtype) desc limit 1`);
  return `execute "${prepared?.name}"${literals.length > 0 ? `(${literals.join(", ")})` : ""}`;
}

export function everyNode(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(everyNode)];
}

/** Into how many parts a cluster divides it. One: it is done on the machine that has the account's rows. */
export function taskCount(plan: PlanNode): number {
  return everyNode(plan).reduce((sum, node) => sum + (node["Distributed Query"]?.Job["Task Count"] ?? 0), 0);
}

/** Rows that were looked at in tables, those included that did not fit. */
export function rowsRead(plan: PlanNode): number {
  const removed = (node: PlanNode) =>
    (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  return everyNode(plan).reduce((sum, node) => {
    const isScan = /^(?:Index|Seq|Bitmap Heap).*Scan$/.test(node["Node Type"]);
    return sum + ((isScan ? node["Actual Rows"] : 0) + removed(node)) * node["Actual Loops"];
  }, 0);
}
