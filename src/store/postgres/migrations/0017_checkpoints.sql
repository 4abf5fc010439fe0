-- States are compressed, with their totals in the same row. The old tables are emptied in steps when the store is opened
-- (src/store/carry-over/checkpoints.ts).
alter table fold_checkpoints rename to old_checkpoints;
alter table checkpoint_totals rename to old_checkpoint_totals;
alter index fold_checkpoints_pkey rename to old_checkpoints_pkey;
alter index checkpoint_totals_pkey rename to old_checkpoint_totals_pkey;

-- States of folds to begin from: after a restart, and when a late frame comes. Each is the state after all frames up to its
-- moment.
create table fold_checkpoints (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  -- As src/store/packed-state.ts writes it.
  state bytea not null,
  -- The sums and maxima of open days and trips, apart from the rest: a late frame often changes nothing else. Null in a state
  -- of 1.0.0, which has them within.
  totals_json text,
  primary key (account_id, device, recorded_at, digest)
);
-- Compressed already.
alter table fold_checkpoints alter column state set storage external;
-- Before this, the device has one checkpoint a day.
alter table device_folds add column thinned_until bigint not null default 0;
update store_forms set form = 5 where name = 'fold_states';

-- The text is not always JSON, and a row may be about several devices: then `device` is the least of them, negated
-- (src/store/change-entries.ts).
alter table changes rename column content_json to content;
