-- Running a fleet from the portal: who manages a record, who did what, one-time links, rules for a tag or for all.

-- How often a record was changed, and where last: two people who edit one are told, and `load` undoes nothing that a person did.
-- `id` is the record's own; of alert settings the device's, `tag:NAME` or `all`. No row: revision 1, managed by the file.
create table record_revisions (
  account_id integer not null,
  type text not null check (type in ('account', 'user', 'device', 'geofence', 'alert_settings')),
  id text not null,
  revision integer not null,
  managed_by text not null check (managed_by in ('file', 'portal')),
  primary key (account_id, type, id)
) strict, without rowid;

-- Who did what and when. Rows are only added. They hold ids and names of fields, never what a vehicle or a person is called,
-- so that erasing one leaves its id and nothing else.
create table audit_log (
  account_id integer not null,
  -- A UUID of version 7: entries are in the order of their ids.
  entry_id text not null,
  at integer not null,
  actor text not null check (actor in ('user', 'command', 'file', 'stranger')),
  actor_id text,
  action text not null,
  -- What it was done to.
  type text not null,
  id text not null,
  details_json text,
  primary key (account_id, entry_id)
) strict, without rowid;
create index audit_log_by_record on audit_log (account_id, type, id);
create index audit_log_by_actor on audit_log (account_id, actor_id, entry_id);

-- Links that work once: the first run of a server, invitations, new passwords. Of a token only a SHA-256 is stored.
create table one_time_links (
  token_hash text not null primary key,
  purpose text not null check (purpose in ('setup', 'invitation', 'reset')),
  -- Null for the first run, when there is no account yet.
  account_id integer,
  user_id text references users,
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;
create index one_time_links_by_user on one_time_links (user_id);

-- Sessions are shown to people, who end them.
alter table sessions add column id text;
alter table sessions add column browser text;
-- password, link or openid.
alter table sessions add column via text not null default 'password';
update sessions set id = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
  || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
create unique index sessions_by_id on sessions (id);

-- IMEIs that trackers of the account sent lately and that no device has.
create table unknown_devices (
  account_id integer not null,
  imei text not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  count integer not null,
  primary key (account_id, imei)
) strict, without rowid;

-- Alert rules for the vehicles with a tag, or for all of the account (then the tag is empty), over time. The first version also
-- holds for all earlier time.
create table rule_versions (
  account_id integer not null references accounts,
  tag text not null,
  valid_from integer not null,
  rules_json text not null,
  created_at integer not null,
  primary key (account_id, tag, valid_from)
) strict, without rowid;

-- A device's tags over time, once they have changed: a vehicle that gets a tag today is not judged by its rules yesterday.
create table device_tag_versions (
  account_id integer not null,
  device integer not null,
  valid_from integer not null,
  tags_json text not null,
  primary key (account_id, device, valid_from),
  foreign key (account_id, device) references devices
) strict, without rowid;

-- What was removed and is kept: nobody sees it. The IMEI and the e-mail are free for another; the old ones stand here.
alter table devices add column removed_at integer;
alter table devices add column removed_imei text;
alter table users add column removed_at integer;
alter table users add column removed_email text;
alter table geofences add column removed_at integer;

-- Who acknowledged an alert may have been erased.
alter table alert_acknowledgements rename to old_acknowledgements;
create table alert_acknowledgements (
  account_id integer not null,
  alert_id text not null,
  acknowledged_at integer not null,
  acknowledged_by text references users,
  primary key (account_id, alert_id)
) strict, without rowid;
insert into alert_acknowledgements (account_id, alert_id, acknowledged_at, acknowledged_by)
  select account_id, alert_id, acknowledged_at, acknowledged_by from old_acknowledgements;
drop table old_acknowledgements;

-- Who chose a password: a file, or its person in the portal. It counts by itself: a person who chooses one does not take name
-- and e-mail from the file, and a file does not undo the choice.
alter table users add column password_managed_by text not null default 'file'
  check (password_managed_by in ('file', 'portal'));
-- Erasing.
-- Since when it is being erased, in steps: nobody sees, derives or restores it any more.
alter table devices add column erasing_at integer;
create index devices_erasing on devices (account_id, device) where erasing_at is not null;
create index devices_removed on devices (account_id, id) where removed_at is not null;
alter table accounts add column erasing_at integer;
-- What is known from frames is read without a row of the devices, so these say what was removed.
create index devices_in_sight on devices (account_id, id, removed_at);
drop index devices_by_status;
create index devices_by_status on devices (account_id, status, id, removed_at);
insert into sqlite_stat1 (tbl, idx, stat) values
  ('devices', 'devices_in_sight', '100000 10000 1 1'),
  ('devices', 'devices_by_status', '100000 10000 3000 1 1'),
  ('devices', 'devices_removed', '10000 1000 1'),
  ('devices', 'devices_erasing', '10 1 1');
analyze sqlite_schema;
-- Of accounts and devices the highest number that was ever erased: SQLite would give it out again, and whoever remembers something
-- by it would take the new one for the old. `unpurged` counts what was erased and may still be in the
-- store's files.
create table erasure_notes (
  name text not null primary key,
  number integer not null
) strict, without rowid;
insert into erasure_notes (name, number) values ('accounts', 0), ('devices', 0), ('unpurged', 0);
create trigger accounts_numbers after insert on accounts
  when new.account_id <= (select number from erasure_notes where name = 'accounts')
begin
  update accounts set account_id = (select number from erasure_notes where name = 'accounts') + 1
    where account_id = new.account_id;
end;
create trigger devices_numbers after insert on device_directory
  when new.device <= (select number from erasure_notes where name = 'devices')
begin
  update device_directory set device = (select number from erasure_notes where name = 'devices') + 1
    where device = new.device;
end;
