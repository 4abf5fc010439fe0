-- The sums and maxima of open days and trips stand beside the rest of a state: a late frame that changes only those changes
-- only them. States from before have them within: their column is empty.
alter table fold_checkpoints add column totals_json text;
update store_forms set form = 2 where name = 'fold_states';
