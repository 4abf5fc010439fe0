-- Which alerts a person is mailed of, when, and in which hours not. Made by the person or the owner of the account.
create table notification_choices (
  account_id integer not null,
  id text not null,
  user_id text not null,
  -- What is wanted: types, severities, tags, vehicles.
  wanted_json text not null,
  pacing text not null,
  tells_end integer not null,
  -- Minutes of the day; null: no quiet hours.
  quiet_from integer,
  quiet_until integer,
  -- Null: the account's.
  time_zone text,
  -- What was received before is no news.
  since integer not null,
  -- When the person unsubscribed, or somebody paused it; null: it holds.
  stopped_at integer,
  created_by text,
  created_at integer not null,
  updated_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
create index notification_choices_by_user on notification_choices (account_id, user_id, created_at, id);

-- An alert that a person is to hear of, or has heard of: once when it begins and at most once when it ends.
create table notification_items (
  account_id integer not null,
  user_id text not null,
  alert_id text not null,
  event text not null,
  choice_id text not null,
  device integer not null,
  alert_type text not null,
  due_at integer not null,
  -- Why it did not come sooner.
  held text,
  -- Null: it waits to be put into a mail.
  mail_id text,
  -- Whether the mail said that it has ended.
  told_end integer not null,
  created_at integer not null,
  primary key (account_id, user_id, alert_id, event)
) strict, without rowid;
create index notification_items_due on notification_items (account_id, due_at) where mail_id is null;
create index notification_items_by_alert on notification_items (account_id, alert_id);
create index notification_items_by_mail on notification_items (account_id, mail_id);
create index notification_items_by_device on notification_items (account_id, device);
create index notification_items_by_age on notification_items (account_id, created_at);

-- Mails of notifications: those that wait for the mail server, and what became of the others.
create table notification_mails (
  account_id integer not null,
  id text not null,
  user_id text not null,
  choice_id text not null,
  state text not null,
  alerts integer not null,
  created_at integer not null,
  next_try_at integer not null,
  -- Until when one node sends it.
  claimed_until integer not null,
  attempts integer not null,
  -- Why it was not taken when it was last tried.
  problem text,
  -- When it was sent or given up.
  done_at integer,
  primary key (account_id, id)
) strict, without rowid;
create index notification_mails_waiting on notification_mails (account_id, next_try_at) where state = 'waiting';
create index notification_mails_by_time on notification_mails (account_id, created_at, id);

-- How far the log of each account that has choices was read for notifications.
create table notification_followers (
  account_id integer not null primary key,
  number integer not null,
  device integer not null
);

insert into sqlite_stat1 (tbl, idx, stat) values
  ('notification_choices', 'notification_choices', '10000 20 1'),
  ('notification_choices', 'notification_choices_by_user', '10000 20 3 1 1'),
  ('notification_items', 'notification_items', '1000000 10000 1000 1 1'),
  ('notification_items', 'notification_items_due', '10000 100 1'),
  ('notification_items', 'notification_items_by_alert', '1000000 10000 2'),
  ('notification_items', 'notification_items_by_mail', '1000000 10000 10'),
  ('notification_items', 'notification_items_by_device', '1000000 10000 100'),
  ('notification_items', 'notification_items_by_age', '1000000 10000 1'),
  ('notification_mails', 'notification_mails', '100000 1000 1'),
  ('notification_mails', 'notification_mails_waiting', '1000 10 1'),
  ('notification_mails', 'notification_mails_by_time', '100000 1000 1 1');
analyze sqlite_schema;
