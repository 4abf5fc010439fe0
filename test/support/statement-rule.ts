import { loadModule, type Node, type ParseResult, parseSync, type RangeVar } from "libpg-query";
import { distributedTables, localTables, referenceTables } from "../../src/store/distribution.ts";

/**
 * The rule for every statement on PostgreSQL, so that Citus runs it as one task on the machine that holds the account:
 * each use of a distributed table, at any depth, is compared with the account's number by itself.
 */

await loadModule();

/** A part of a parsed statement: objects whose keys name what they hold, lists, and plain values. */
type Part = Readonly<Record<string, unknown>>;

/** A table where it is used. */
interface Use {
  readonly table: string;
  readonly alias: string;
  /** Conditions that hold for every row of it: those of `where`, and those of its joins. */
  readonly conditions: readonly Part[];
}

export interface Judgement {
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[];
  /** The parameters that hold an account: all must have the same value. */
  readonly accountParameters: readonly number[];
}

class Findings implements Judgement {
  readonly faults: string[] = [];
  readonly accountParameters: number[] = [];
  /** Accounts that are written in the text. */
  readonly accountConstants = new Set<string>();
  readonly tables = new Set<string>();
  /** Those of them that the statement changes. */
  readonly written = new Set<string>();
  /** What is wrong only beside a distributed table. */
  readonly ifSpread: string[] = [];
  readonly functions = new Set<string>();
}

const distributed: ReadonlySet<string> = new Set(distributedTables);
const reference: ReadonlySet<string> = new Set(referenceTables);
const local: ReadonlySet<string> = new Set(localTables);

/** Statements that are about tables as a whole, or about none. */
const freeKinds: ReadonlySet<string> = new Set([
  ...["CreateStmt", "AlterTableStmt", "IndexStmt", "DropStmt", "RenameStmt", "CommentStmt", "ReindexStmt"],
  ...["CreateStatsStmt", "ViewStmt", "CreateTrigStmt", "CreateFunctionStmt", "GrantStmt"],
  ...["VacuumStmt", "LockStmt", "VariableSetStmt", "VariableShowStmt", "TransactionStmt"],
]);

/** What the statements of a text do against the rule. Definitions, settings and locks are not looked at. */
export function judge(text: string): Judgement {
  const parsed: ParseResult = parseSync(text);
  const found = new Findings();
  for (const { stmt } of parsed.stmts ?? []) {
    const [kind = ""] = Object.keys(stmt ?? {});
    if (freeKinds.has(kind)) continue;
    if (!(kind in levels) && kind !== "ExplainStmt") refuseUnknown(found, kind, stmt);
    judgeNested(found, stmt as Node as Part, new Set(), 0);
  }
  refuseSecondAccount(found);
  const { faults, ifSpread, tables, written, functions } = found;
  const isSpread = [...tables].some((name) => distributed.has(name));
  if (isSpread) {
    faults.push(...ifSpread);
    for (const name of tables) {
      if (local.has(name))
        faults.push(`${name} is on one machine only: it must not be used beside a distributed table`);
    }
    for (const name of written) {
      if (reference.has(name))
        faults.push(`${name} is on every machine: what it gets must not depend on a distributed table`);
    }
  }
  if ([...functions].some((name) => /^pg_(try_)?advisory/.test(name)) && tables.size > 0) {
    faults.push("an advisory lock beside a table would be taken on the table's machine");
  }
  return found;
}

/** How the tables of each kind of statement are found. Each is a level of its own. */
const levels: Readonly<Record<string, (found: Findings, statement: Part, hidden: ReadonlySet<string>) => Use[]>> = {
  SelectStmt: (found, { fromClause, whereClause, intoClause }) => {
    if (intoClause) found.ifSpread.push("its rows must not become a table");
    return usesIn(fromClause, conjunctsOf(whereClause));
  },
  UpdateStmt: (found, { relation, fromClause, whereClause, targetList }) => {
    noteWriting(found, relation);
    refuseMoving(found, relation, targetList);
    const conditions = conjunctsOf(whereClause);
    return [toUse(relation as RangeVar, conditions), ...usesIn(fromClause, conditions)];
  },
  DeleteStmt: (found, { relation, usingClause, whereClause }) => {
    noteWriting(found, relation);
    const conditions = conjunctsOf(whereClause);
    return [toUse(relation as RangeVar, conditions), ...usesIn(usingClause, conditions)];
  },
  InsertStmt: (found, statement) => {
    judgeInsert(found, statement);
    return [];
  },
};

/** Everything below a part: each statement in it is judged with the names that hide tables there. */
function judgeNested(found: Findings, part: unknown, hidden: ReadonlySet<string>, depth: number): void {
  if (Array.isArray(part)) {
    for (const item of part) judgeNested(found, item, hidden, depth);
  } else if (typeof part === "object" && part !== null) {
    for (const [name, value] of Object.entries(part)) {
      if (name in levels) judgeLevel(found, name, value as Part, hidden, depth);
      else {
        if (name === "MergeStmt") refuseUnknown(found, name, value);
        if (name === "FuncCall") found.functions.add(lastName((value as Part).funcname));
        judgeNested(found, value, hidden, depth);
      }
    }
  }
}

function judgeLevel(found: Findings, kind: string, statement: Part, outer: ReadonlySet<string>, depth: number) {
  const named = namesOfWith(statement.withClause);
  const hidden = new Set([...outer, ...named]);
  for (const name of named) {
    // Otherwise one could not tell which of the two is meant.
    if (isTable(name)) found.faults.push(`a part of the statement must not be called ${name}, as a table is`);
  }
  const uses = levels[kind]?.(found, statement, hidden).filter(({ table }) => !hidden.has(table)) ?? [];
  for (const use of uses) judgeUse(found, use, uses, depth);
  if (statement.lockingClause) refuseHolding(found, statement.fromClause);
  for (const [name, value] of Object.entries(statement)) {
    // The two sides of a union have no name of their kind.
    if (name === "larg" || name === "rarg") judgeLevel(found, "SelectStmt", value as Part, hidden, depth);
    else judgeNested(found, value, hidden, depth + 1);
  }
}

function judgeUse(found: Findings, use: Use, beside: readonly Use[], depth: number): void {
  const { table, alias, conditions } = use;
  found.tables.add(table);
  const compared = conditions.flatMap((condition) => comparedWithAccount(condition, alias, beside.length === 1));
  if (distributed.has(table)) {
    noteAccounts(found, compared);
    if (!compared.some(isValue)) found.faults.push(`${table} ${alias} has no "${alias}.account_id = $n" of its own`);
  } else if (reference.has(table) && depth > 0 && compared.length > 0) {
    const isOuter = (value: Part) => {
      const [owner] = namesIn(value);
      return owner !== undefined && !beside.some(({ alias }) => alias === owner);
    };
    if (!compared.some(isValue) && compared.some(isOuter)) {
      found.ifSpread.push(`${table} ${alias} in a subquery must be bound by a value, not by a column outside of it`);
    }
  }
}

function judgeInsert(found: Findings, { relation, cols, selectStmt }: Part): void {
  const table = noteWriting(found, relation);
  if (!distributed.has(table)) return;
  const columns = (cols as Part[] | undefined)?.map((column) => (column.ResTarget as Part).name) ?? [];
  const place = columns.indexOf("account_id");
  if (place < 0) found.faults.push(`insert into ${table} does not name account_id`);
  const source = (selectStmt as Part | undefined)?.SelectStmt as Part | undefined;
  const lists = source?.valuesLists as Part[] | undefined;
  if (lists === undefined) {
    if (!isOfAccount(source, place))
      found.faults.push(`insert into ${table} is neither "values" nor of rows of its account`);
    return;
  }
  for (const list of lists) {
    const value = ((list.List as Part).items as Part[])[place];
    if (value !== undefined && !isValue(value)) found.faults.push(`insert into ${table}: the account is not a value`);
    if (value !== undefined) noteAccounts(found, [value]);
  }
}

/**
 * Whether a `select` takes the account from a distributed table in its `from`, which is judged by itself: then its rows are
 * inserted where they are. Otherwise Citus collects them on the coordinator, or refuses.
 */
function isOfAccount(source: Part | undefined, place: number): boolean {
  const target = (source?.targetList as Part[] | undefined)?.[place]?.ResTarget as Part | undefined;
  const [alias, column] = namesIn((target?.val ?? {}) as Part);
  const uses = usesIn(source?.fromClause, []);
  return column === "account_id" && uses.some((use) => use.alias === alias && distributed.has(use.table));
}

function noteWriting(found: Findings, relation: unknown): string {
  const { relname: table = "" } = relation as RangeVar;
  found.tables.add(table);
  found.written.add(table);
  return table;
}

/** A row stays with its account: Citus moves none to another machine. */
function refuseMoving(found: Findings, relation: unknown, targetList: unknown): void {
  const { relname: table = "" } = relation as RangeVar;
  const changed = (targetList as Part[]).map((target) => (target.ResTarget as Part).name);
  if (distributed.has(table) && changed.includes("account_id")) {
    found.faults.push(`update ${table} changes account_id`);
  }
}

/** The row is locked on the first worker, for all accounts. So are those of subqueries in `from`, by what is outside. */
function refuseHolding(found: Findings, from: unknown): void {
  for (const { table } of usesIn(from, [], subqueriesToo)) {
    if (reference.has(table)) found.faults.push(`${table} is on every machine: its rows must not be locked`);
  }
}

/** Kinds of statements of which it is not known how Citus runs them, and those that it runs on every machine. */
function refuseUnknown(found: Findings, kind: string, statement: unknown): void {
  // What `do` runs is a text.
  const words = JSON.stringify(statement).match(/\w+/g) ?? [];
  for (const name of new Set(words)) {
    if (distributed.has(name)) found.faults.push(`${name}: a ${kind} is not known to keep to one account`);
  }
}

function noteAccounts(found: Findings, values: readonly Part[]): void {
  found.accountParameters.push(...values.flatMap(parameterIn));
  for (const value of values.flatMap(constantIn)) found.accountConstants.add(value);
}

function refuseSecondAccount({ faults, accountConstants, accountParameters }: Findings): void {
  const isBoth = accountConstants.size > 0 && accountParameters.length > 0;
  if (accountConstants.size > 1 || isBoth) faults.push("it names more than one account");
}

function isTable(name: string): boolean {
  return distributed.has(name) || reference.has(name) || local.has(name);
}

function namesOfWith(withClause: unknown): string[] {
  const ctes = ((withClause as Part | undefined)?.ctes ?? []) as Part[];
  return ctes.map((cte) => String((cte.CommonTableExpr as Part).ctename));
}

/** Whether to look into subqueries: each is a level of its own, but locks from outside hold inside. */
const subqueriesToo = true;

/** The tables of a `from`, with the conditions that hold for them. */
function usesIn(from: unknown, conditions: readonly Part[], isDeep = false): Use[] {
  return ((from ?? []) as Part[]).flatMap((item) => usesOfItem(item, conditions, isDeep));
}

function usesOfItem(item: Part, conditions: readonly Part[], isDeep: boolean): Use[] {
  if (item.RangeVar) return [toUse(item.RangeVar as RangeVar, conditions)];
  if (item.RangeTableSample) {
    return usesOfItem((item.RangeTableSample as Part).relation as Part, conditions, isDeep);
  }
  if (item.RangeSubselect && isDeep) return usesOfSubquery((item.RangeSubselect as Part).subquery as Part);
  if (!item.JoinExpr) return [];
  const { jointype, larg, rarg, quals } = item.JoinExpr as Part;
  const joined = [...conditions, ...conjunctsOf(quals)];
  // An outer join keeps rows of one side, or of both, whatever its conditions say.
  const isInner = jointype === "JOIN_INNER";
  return [
    ...usesOfItem(larg as Part, isInner || jointype === "JOIN_RIGHT" ? joined : conditions, isDeep),
    ...usesOfItem(rarg as Part, isInner || jointype === "JOIN_LEFT" ? joined : conditions, isDeep),
  ];
}

function usesOfSubquery({ SelectStmt: select }: Part): Use[] {
  return usesIn((select as Part).fromClause, [], subqueriesToo);
}

function toUse({ relname = "", alias }: RangeVar, conditions: readonly Part[]): Use {
  return { table: relname, alias: alias?.aliasname ?? relname, conditions };
}

/** The parts of a condition that must all hold. */
function conjunctsOf(condition: unknown): Part[] {
  if (condition === undefined) return [];
  const { BoolExpr: all } = condition as { BoolExpr?: Part };
  return all?.boolop === "AND_EXPR" ? (all.args as Part[]).flatMap(conjunctsOf) : [condition as Part];
}

/** What a condition says the account of a table equals. */
function comparedWithAccount(condition: Part, alias: string, isOnly: boolean): Part[] {
  const { kind, name, lexpr, rexpr } = (condition.A_Expr ?? {}) as Part;
  if (kind !== "AEXPR_OP" || lastName(name) !== "=") return [];
  const isAccount = (side: unknown) => {
    const names = namesIn(side as Part);
    return names.at(-1) === "account_id" && (names.length === 1 ? isOnly : names.at(-2) === alias);
  };
  if (isAccount(lexpr)) return [rexpr as Part];
  return isAccount(rexpr) ? [lexpr as Part] : [];
}

/** Only these keep the value what it is, and of the type that the tables are spread by. */
const wholeNumbers: ReadonlySet<string> = new Set(["int8", "int4", "bigint", "integer"]);

function isValue(part: Part): boolean {
  return parameterIn(part).length > 0 || constantIn(part).length > 0;
}

function parameterIn(part: Part): number[] {
  const { ParamRef: parameter } = withoutCast(part);
  return parameter ? [(parameter as { number: number }).number] : [];
}

/** A number that is written in the text. */
function constantIn(part: Part): string[] {
  const { ival, fval } = (withoutCast(part).A_Const ?? {}) as { ival?: { ival?: number }; fval?: { fval: string } };
  if (ival) return [String(ival.ival ?? 0)];
  return fval ? [fval.fval] : [];
}

function withoutCast(part: Part): Part {
  if (!part.TypeCast) return part;
  const { arg, typeName } = part.TypeCast as { arg: Part; typeName: Part };
  const isWhole = wholeNumbers.has(lastName(typeName.names)) && typeName.arrayBounds === undefined;
  return isWhole ? withoutCast(arg) : {};
}

/** `r.account_id` as its names. */
function namesIn(part: Part): string[] {
  const fields = ((part.ColumnRef as Part | undefined)?.fields ?? []) as Part[];
  return fields.map((field) => String((field.String as Part | undefined)?.sval));
}

function lastName(names: unknown): string {
  const last = (names as Part[] | undefined)?.at(-1);
  return String((last?.String as Part | undefined)?.sval);
}
