-- The IMEI beside each assignment, so that a sub-account's device is found by it in one step, as by its public id. The
-- time that the step takes says nothing of the devices that the sub-account may not see.
alter table assignments add column imei text;
update assignments set imei = (
  select d.imei from devices d where d.account_id = assignments.account_id and d.device = assignments.device);
create index assignments_by_imei on assignments (account_id, imei, user_id);

create trigger assignments_take_imei after insert on assignments begin
  update assignments set imei = (
    select d.imei from devices d where d.account_id = new.account_id and d.device = new.device)
  where account_id = new.account_id and user_id = new.user_id and id = new.id;
end;

create trigger devices_hand_on_imei after update of imei on devices when old.imei <> new.imei begin
  update assignments set imei = new.imei where account_id = new.account_id and device = new.device;
end;
