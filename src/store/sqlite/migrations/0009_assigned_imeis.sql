-- The IMEI beside each assignment, so that a sub-account's device is found by it in one step, as by its public id. The
-- time that the step takes says nothing of the devices that the sub-account may not see.
alter table assignments add column imei text;
update assignments set imei = (
  select d.imei from devices d where d.account_id = assignments.account_id and d.device = assignments.device);
create index assignments_by_imei on assignments (account_id, imei, user_id);
