-- Who may ask and who may send: keys and what was counted of them, sessions, links, ingest tokens.
-- Of a key, a session, a link or a token only a SHA-256 is stored.

-- Keys of the API. A key sees what the user sees who made it.
create table api_keys (
  account_id bigint not null references accounts,
  id uuid not null,
  user_id uuid not null references users,
  name text not null,
  prefix text not null,
  secret_hash text not null unique,
  scopes text not null,
  -- Null: the account's limit.
  limit_per_second integer,
  limit_per_day integer,
  expires_at bigint,
  revoked_at bigint,
  created_at bigint not null,
  -- The successor of a key that is being replaced: it has one, and no other.
  replaced_by text,
  primary key (account_id, id)
);
create unique index api_keys_by_id on api_keys (id);
create index api_keys_by_user on api_keys (account_id, user_id, id);

-- The two windows of the limiter, one row per key and UTC day: a clock that is set to another day and back finds the counts of both again.
create table key_counters (
  account_id bigint not null,
  key_id uuid not null,
  day integer not null,
  day_used integer not null,
  second bigint not null,
  second_used integer not null,
  -- Whether the last call was let through.
  admitted boolean not null,
  last_used_at bigint not null,
  primary key (account_id, key_id, day)
) with (fillfactor = 70);

-- What all keys of an account have used of a UTC day together. Only accounts with such a limit have rows.
create table account_counters (
  account_id bigint not null,
  day integer not null,
  day_used integer not null,
  primary key (account_id, day)
) with (fillfactor = 70);

-- What each key was used for, day by day, for people to look at.
create table key_usage (
  account_id bigint not null,
  key_id uuid not null,
  day integer not null,
  endpoint text not null,
  requests bigint not null,
  not_modified bigint not null,
  refused bigint not null,
  errors bigint not null,
  primary key (account_id, key_id, day, endpoint)
);

-- Who is signed in to the portal.
create table sessions (
  token_hash text not null primary key,
  account_id bigint not null references accounts,
  user_id uuid not null references users,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  -- They are shown to people, who end them.
  id uuid,
  browser text,
  -- password, link or openid.
  via text not null default 'password'
);
create index sessions_by_user on sessions (account_id, user_id);
create unique index sessions_by_id on sessions (id);

-- Links that work once: the first run of a server, invitations, new passwords.
create table one_time_links (
  token_hash text not null primary key,
  purpose text not null check (purpose in ('setup', 'invitation', 'reset')),
  -- Null for the first run, when there is no account yet.
  account_id bigint,
  user_id uuid references users,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  -- The address that it was mailed to and that nobody else was shown: using it confirms the address. Null: others have seen the link.
  mailed_to text
);
create index one_time_links_by_user on one_time_links (user_id);

-- Links that confirm an address and do nothing else, each mailed. Of addresses, too, only SHA-256s are stored. Rows remain for a
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

-- With these, senders may send frames of an account.
create table ingest_tokens (
  account_id bigint not null references accounts,
  id uuid not null,
  name text not null,
  prefix text not null,
  secret_hash text not null unique,
  created_at bigint not null,
  last_used_at bigint,
  revoked_at bigint,
  primary key (account_id, id)
);
create unique index ingest_tokens_by_id on ingest_tokens (id);

-- Links that show vehicles to visitors without an account, until a time.
create table share_links (
  id uuid not null primary key,
  account_id bigint not null,
  -- Who made it: it shows no more than this user sees.
  user_id uuid not null,
  secret_hash text not null unique,
  -- For the maker's own list; visitors never see it.
  name text not null,
  label text not null check (label in ('name', 'plate')),
  -- Numbers of devices; null in the place of one of which the maker has lost sight.
  devices_json text not null,
  is_live boolean not null,
  -- The period of which the track is shown, half-open; null: none.
  from_at bigint,
  to_at bigint,
  created_at bigint not null,
  expires_at bigint not null,
  last_opened_at bigint,
  ended_at bigint,
  end_reason text check (end_reason in ('revoked', 'expired', 'maker', 'vehicles', 'account'))
);
create index share_links_by_account on share_links (account_id, created_at);
create index share_links_open on share_links (expires_at) where ended_at is null;
create index share_links_ended on share_links (ended_at) where ended_at is not null;
