-- The sums and maxima of open days and trips, apart from the rest of the states at checkpoints: a late frame often changes
-- nothing else, and these rows are small. A state from before has them within, and no row here.
create table checkpoint_totals (
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  totals_json text not null,
  primary key (account_id, device, recorded_at, digest)
);
update store_forms set form = 2 where name = 'fold_states';
