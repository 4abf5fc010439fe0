-- Mails of alerts and of reports: who wants which, and what became of each.

-- Which alerts a person is mailed of, when, and in which hours not. Made by the person or the owner of the account.
create table notification_choices (
  account_id bigint not null,
  id uuid not null,
  user_id uuid not null,
  -- What is wanted: types, severities, tags, vehicles.
  wanted_json text not null,
  pacing text not null,
  tells_end boolean not null,
  -- Minutes of the day; null: no quiet hours.
  quiet_from integer,
  quiet_until integer,
  -- Null: the account's.
  time_zone text,
  -- What was received before is no news.
  since bigint not null,
  -- When the person unsubscribed, or it was paused; null: it holds.
  stopped_at bigint,
  created_by uuid,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (account_id, id)
);
create index notification_choices_by_user on notification_choices (account_id, user_id, created_at, id);

-- An alert that a person is to hear of, or has heard of: once when it begins and at most once when it ends.
create table notification_items (
  account_id bigint not null,
  user_id uuid not null,
  alert_id uuid not null,
  event text not null,
  choice_id uuid not null,
  device bigint not null,
  alert_type text not null,
  due_at bigint not null,
  -- Why it did not come sooner.
  held text,
  -- Null: it waits to be put into a mail.
  mail_id uuid,
  -- Whether the mail said that it has ended.
  told_end boolean not null,
  created_at bigint not null,
  primary key (account_id, user_id, alert_id, event)
);
create index notification_items_due on notification_items (account_id, due_at) where mail_id is null;
create index notification_items_by_alert on notification_items (account_id, alert_id);
create index notification_items_by_mail on notification_items (account_id, mail_id);
create index notification_items_by_device on notification_items (account_id, device);
create index notification_items_by_age on notification_items (account_id, created_at);

-- Mails of notifications: those that wait for the mail server, and what became of the others.
create table notification_mails (
  account_id bigint not null,
  id uuid not null,
  user_id uuid not null,
  choice_id uuid not null,
  state text not null,
  alerts integer not null,
  created_at bigint not null,
  next_try_at bigint not null,
  -- Until when one node sends it.
  claimed_until bigint not null,
  attempts integer not null,
  -- Why it was not taken when it was last tried.
  problem text,
  -- When it was sent or given up.
  done_at bigint,
  primary key (account_id, id)
);
create index notification_mails_waiting on notification_mails (account_id, next_try_at) where state = 'waiting';
create index notification_mails_by_time on notification_mails (account_id, created_at, id);

-- How far the log of each account that has choices was read for notifications.
create table notification_followers (
  account_id bigint not null primary key,
  number bigint not null,
  device bigint not null
);

-- Reports that are mailed regularly, as they were filtered. Made by the owner of the account, or by a person for themselves.
create table planned_reports (
  account_id bigint not null,
  id uuid not null,
  name text not null,
  report text not null,
  -- What it shows: view, order, tags, vehicles and so on.
  filters_json text not null,
  cadence text not null,
  -- Of the account's clock.
  hour integer not null,
  next_at bigint not null,
  -- Null: it is not paused.
  paused_at bigint,
  created_by uuid not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (account_id, id)
);
create index planned_reports_due on planned_reports (next_at) where paused_at is null;

-- Whom a report is mailed to.
create table planned_report_people (
  account_id bigint not null,
  report_id uuid not null,
  user_id uuid not null,
  -- When the person unsubscribed; null: they get it.
  stopped_at bigint,
  primary key (account_id, report_id, user_id)
);
create index planned_report_people_by_user on planned_report_people (account_id, user_id);

-- Mails of reports: those that wait for the mail server, and what became of the others.
create table report_mails (
  account_id bigint not null,
  id uuid not null,
  report_id uuid not null,
  user_id uuid not null,
  -- The days that it is about, both included.
  from_day text not null,
  to_day text not null,
  state text not null,
  row_count integer not null,
  created_at bigint not null,
  next_try_at bigint not null,
  -- Until when one node makes and sends it.
  claimed_until bigint not null,
  attempts integer not null,
  -- Why it was not sent when it was last tried.
  problem text,
  -- When it was sent or given up.
  done_at bigint,
  primary key (account_id, id)
);
create index report_mails_waiting on report_mails (next_try_at) where state = 'waiting';
create index report_mails_by_time on report_mails (account_id, created_at, id);
create index report_mails_by_age on report_mails (created_at);

-- Who has unsubscribed from mails of alerts or of planned reports. Until the person wants them again, nobody else can start them.
create table unsubscriptions (
  account_id bigint not null,
  user_id uuid not null,
  kind text not null check (kind in ('alerts', 'reports')),
  since bigint not null,
  primary key (account_id, user_id, kind)
);
