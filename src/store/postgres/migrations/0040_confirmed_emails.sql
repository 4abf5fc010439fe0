-- Mails go only to an address whose person has confirmed it. The address itself is stored, so that another one is not confirmed.
alter table users add column confirmed_email text;

-- The address that a link was mailed to and that nobody else was shown: using the link confirms it. Null: others have seen the link.
alter table one_time_links add column mailed_to text;

-- Links that confirm an address and do nothing else, each mailed. Of tokens and addresses only SHA-256s are stored. Rows remain for a
-- while, by which mails of this kind are counted.
create table email_confirmations (
  token_hash text not null primary key,
  account_id bigint not null,
  -- Null: the person was erased.
  user_id uuid,
  -- The address as it is stored, and the mailbox that it reaches.
  email_hash text not null,
  mailbox_hash text not null,
  mailed_at bigint not null
);
create index email_confirmations_by_account on email_confirmations (account_id, mailed_at);
create index email_confirmations_by_mailbox on email_confirmations (mailbox_hash, mailed_at);
create index email_confirmations_by_time on email_confirmations (mailed_at);

-- Who has unsubscribed from mails of alerts or of planned reports. Until the person wants them again, nobody else can start them.
create table unsubscriptions (
  account_id bigint not null,
  user_id uuid not null,
  kind text not null check (kind in ('alerts', 'reports')),
  since bigint not null,
  primary key (account_id, user_id, kind)
);
insert into unsubscriptions (account_id, user_id, kind, since)
  select account_id, user_id, 'alerts', min(stopped_at) from notification_choices
  where stopped_at is not null group by account_id, user_id;
insert into unsubscriptions (account_id, user_id, kind, since)
  select account_id, user_id, 'reports', min(stopped_at) from planned_report_people
  where stopped_at is not null group by account_id, user_id;
