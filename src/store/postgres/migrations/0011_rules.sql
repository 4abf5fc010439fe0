-- The version of the rules that everything derived of a device follows: facts, verdicts, live state, checkpoints. A device of
-- earlier rules waits to be derived again (src/derive/upgrade.ts). What was stored until now follows the first version.
alter table device_folds add column rules bigint not null default 1;
-- Who derives a waiting device at the moment; renewed all the time, so that an old one is known to be abandoned.
alter table device_folds add column upgrade_claim bigint;
create index device_folds_rules on device_folds (rules, account_id, device);
-- Since form 3 a state has the version of the rules that made it.
update store_forms set form = 3 where name = 'fold_states';
insert into store_forms (name, form) values ('rules', 2);
