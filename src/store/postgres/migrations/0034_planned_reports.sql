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
