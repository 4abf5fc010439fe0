import { plainSql, type Sql } from "../../src/store/sql.ts";

/**
 * The few functions and tables of Citus that spreading a store uses, for plain PostgreSQL. Nothing is moved: what is placed is
 * noted, and what Citus refuses is refused.
 */
export const citusStandIns: readonly Sql[] = [
  "create table pg_dist_local_group (groupid int)",
  "insert into pg_dist_local_group (groupid) values (0)",
  `create table pg_dist_partition (
    logicalrelid regclass primary key, partmethod "char", repmodel "char", column_name text, beside regclass)`,
  `create function require_no_keys(placed regclass) returns void language plpgsql as $$
  begin
    if exists (
      select 1 from pg_constraint where contype = 'f' and conrelid <> confrelid and placed in (conrelid, confrelid)
    ) then
      raise exception 'table % has a foreign key to or from another', placed;
    end if;
    if exists (select 1 from pg_dist_partition where logicalrelid = placed) then
      raise exception 'table % is already distributed', placed;
    end if;
  end $$`,
  `create function create_reference_table(placed regclass) returns void language plpgsql as $$
  begin
    perform require_no_keys(placed);
    insert into pg_dist_partition values (placed, 'n', 't', null, null);
  end $$`,
  `create function type_of(named regclass, wanted text) returns regtype language sql as
    'select atttypid from pg_attribute where attrelid = named and attname = wanted'`,
  `create function create_distributed_table(placed regclass, by text, colocate_with text default 'default')
  returns void language plpgsql as $$
  declare other pg_dist_partition;
  begin
    perform require_no_keys(placed);
    if colocate_with <> 'default' then
      select * into strict other from pg_dist_partition where logicalrelid = colocate_with::regclass;
      if type_of(placed, by) <> type_of(other.logicalrelid, other.column_name) then
        raise exception 'cannot colocate tables % and %', placed, colocate_with;
      end if;
    end if;
    insert into pg_dist_partition values (placed, 'h', 's', by, other.logicalrelid);
  end $$`,
].map(plainSql);
