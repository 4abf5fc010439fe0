-- The IMEI beside each assignment, so that a sub-account's device is found by it in one step, as by its public id. The
-- time that the step takes says nothing of the devices that the sub-account may not see. Triggers keep it in step with the
-- device, also for nodes of an earlier version that still run.
alter table assignments add column imei text;
update assignments a set imei = d.imei from devices d where d.account_id = a.account_id and d.device = a.device;
create index assignments_by_imei on assignments (account_id, imei, user_id);

create function take_imei_of_device() returns trigger language plpgsql as $$
begin
  new.imei := (select d.imei from devices d where d.account_id = new.account_id and d.device = new.device);
  return new;
end $$;
create trigger assignments_take_imei before insert on assignments
  for each row execute function take_imei_of_device();

create function hand_on_imei() returns trigger language plpgsql as $$
begin
  update assignments set imei = new.imei where account_id = new.account_id and device = new.device;
  return null;
end $$;
create trigger devices_hand_on_imei after update of imei on devices
  for each row when (old.imei <> new.imei) execute function hand_on_imei();
