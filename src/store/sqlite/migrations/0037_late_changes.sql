-- The last frames of a device that came a little late, as src/store/facts/fold-revision.ts has them; null: none did. By them another node
-- knows which of its own states still hold.
alter table device_folds add column late_changes text;
