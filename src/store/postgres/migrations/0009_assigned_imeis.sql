-- The IMEI beside each assignment, so that a sub-account's device is found by it in one step, as by its public id. The
-- time that the step takes says nothing of the devices that the sub-account may not see.
alter table assignments add column imei text;
update assignments a set imei = d.imei from devices d where d.account_id = a.account_id and d.device = a.device;
create index assignments_by_imei on assignments (account_id, imei, user_id);
