-- The fourth version of the rules: what real and odd trackers showed (docs/derivation.md). Devices of earlier ones wait to
-- be derived again (src/derive/upgrade/upgrade.ts).
update store_forms set form = 4 where name = 'rules';
