-- The third version of the rules: what the odometer does not show of a day counts by positions. Devices of earlier ones wait to
-- be derived again (src/derive/upgrade/upgrade.ts).
update store_forms set form = 3 where name = 'rules';
