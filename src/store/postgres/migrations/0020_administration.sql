-- Running a fleet from the portal: who manages a record, who did what, one-time links, rules for a tag or for all.

-- How often a record was changed, and where last: two people who edit one are told, and `load` undoes nothing that a person did.
-- `id` is the record's own; of alert settings the device's, `tag:NAME` or `all`. No row: revision 1, managed by the file.
create table record_revisions (
  account_id bigint not null,
  type text not null check (type in ('account', 'user', 'device', 'geofence', 'alert_settings')),
  id text collate "C" not null,
  revision bigint not null,
  managed_by text not null check (managed_by in ('file', 'portal')),
  primary key (account_id, type, id)
);

-- Who did what and when. Rows are only added. They hold ids and names of fields, never what a vehicle or a person is called,
-- so that erasing one leaves its id and nothing else.
create table audit_log (
  account_id bigint not null,
  -- A UUID of version 7: entries are in the order of their ids.
  entry_id uuid not null,
  at bigint not null,
  actor text not null check (actor in ('user', 'command', 'file', 'stranger')),
  actor_id uuid,
  action text not null,
  -- What it was done to.
  type text not null,
  id text collate "C" not null,
  details_json text,
  primary key (account_id, entry_id)
);
create index audit_log_by_record on audit_log (account_id, type, id);
create index audit_log_by_actor on audit_log (account_id, actor_id, entry_id);

-- Links that work once: the first run of a server, invitations, new passwords. Of a token only a SHA-256 is stored.
create table one_time_links (
  token_hash text not null primary key,
  purpose text not null check (purpose in ('setup', 'invitation', 'reset')),
  -- Null for the first run, when there is no account yet.
  account_id bigint,
  user_id uuid references users,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index one_time_links_by_user on one_time_links (user_id);

-- Sessions are shown to people, who end them.
alter table sessions add column id uuid;
alter table sessions add column browser text;
-- password, link or openid.
alter table sessions add column via text not null default 'password';
update sessions set id = gen_random_uuid();
create unique index sessions_by_id on sessions (id);

-- IMEIs that trackers of the account sent lately and that no device has.
create table unknown_devices (
  account_id bigint not null,
  imei text not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  count bigint not null,
  primary key (account_id, imei)
);

-- Alert rules for the vehicles with a tag, or for all of the account (then the tag is empty), over time. The first version also
-- holds for all earlier time.
create table rule_versions (
  account_id bigint not null references accounts,
  tag text collate "C" not null,
  valid_from bigint not null,
  rules_json text not null,
  created_at bigint not null,
  primary key (account_id, tag, valid_from)
);

-- A device's tags over time, once they have changed: a vehicle that gets a tag today is not judged by its rules yesterday.
create table device_tag_versions (
  account_id bigint not null,
  device bigint not null,
  valid_from bigint not null,
  tags_json text not null,
  primary key (account_id, device, valid_from),
  foreign key (account_id, device) references devices
);

-- What was removed and is kept: nobody sees it. The IMEI and the e-mail are free for another; the old ones stand here.
alter table devices add column removed_at bigint;
alter table devices add column removed_imei text;
alter table users add column removed_at bigint;
alter table users add column removed_email text;
alter table geofences add column removed_at bigint;

-- Who acknowledged an alert may have been erased.
alter table alert_acknowledgements alter column acknowledged_by drop not null;

-- Who chose a password: a file, or its person in the portal. It counts by itself: a person who chooses one does not take name
-- and e-mail from the file, and a file does not undo the choice.
alter table users add column password_managed_by text not null default 'file'
  check (password_managed_by in ('file', 'portal'));
-- Erasing.
-- Since when it is being erased, in steps: nobody sees, derives or restores it any more.
alter table devices add column erasing_at bigint;
create index devices_erasing on devices (account_id, device) where erasing_at is not null;
create index devices_removed on devices (account_id, id) where removed_at is not null;
alter table accounts add column erasing_at bigint;
-- What is known from frames is read without a row of the devices, so these say what was removed.
drop index devices_by_id;
create unique index devices_by_id on devices (account_id, id) include (removed_at);
drop index devices_by_status;
create index devices_by_status on devices (account_id, status, id) include (removed_at);
-- `unpurged` counts what was erased and may still be in the store's files.
create table erasure_notes (
  name text primary key,
  number bigint not null
);
insert into erasure_notes (name, number) values ('unpurged', 0);
