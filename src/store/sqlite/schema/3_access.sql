-- Who may ask and who may send: keys and what was counted of them, sessions, links, ingest tokens.
-- Of a key, a session, a link or a token only a SHA-256 is stored.

-- Keys of the API. A key sees what the user sees who made it.
create table api_keys (
  account_id integer not null references accounts,
  id text not null,
  user_id text not null references users,
  name text not null,
  prefix text not null,
  secret_hash text not null unique,
  scopes text not null,
  -- Null: the account's limit.
  limit_per_second integer,
  limit_per_day integer,
  expires_at integer,
  revoked_at integer,
  created_at integer not null,
  -- The successor of a key that is being replaced: it has one, and no other.
  replaced_by text,
  primary key (account_id, id)
) strict, without rowid;
create unique index api_keys_by_id on api_keys (id);
create index api_keys_by_user on api_keys (account_id, user_id, id);

-- The two windows of the limiter, one row per key and UTC day: a clock that is set to another day and back finds the counts of both again.
create table key_counters (
  account_id integer not null,
  key_id text not null,
  day integer not null,
  day_used integer not null,
  second integer not null,
  second_used integer not null,
  -- Whether the last call was let through.
  admitted integer not null,
  last_used_at integer not null,
  primary key (account_id, key_id, day)
) strict, without rowid;

-- What all keys of an account have used of a UTC day together. Only accounts with such a limit have rows.
create table account_counters (
  account_id integer not null,
  day integer not null,
  day_used integer not null,
  primary key (account_id, day)
) strict, without rowid;

-- What each key was used for, day by day, for people to look at.
create table key_usage (
  account_id integer not null,
  key_id text not null,
  day integer not null,
  endpoint text not null,
  requests integer not null,
  not_modified integer not null,
  refused integer not null,
  errors integer not null,
  primary key (account_id, key_id, day, endpoint)
) strict, without rowid;

-- Who is signed in to the portal.
create table sessions (
  token_hash text not null primary key,
  account_id integer not null references accounts,
  user_id text not null references users,
  created_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null,
  -- They are shown to people, who end them.
  id text,
  browser text,
  -- password, link or openid.
  via text not null default 'password'
) strict, without rowid;
create index sessions_by_user on sessions (account_id, user_id);
create unique index sessions_by_id on sessions (id);

-- Links that work once: the first run of a server, invitations, new passwords.
create table one_time_links (
  token_hash text not null primary key,
  purpose text not null check (purpose in ('setup', 'invitation', 'reset')),
  -- Null for the first run, when there is no account yet.
  account_id integer,
  user_id text references users,
  created_at integer not null,
  expires_at integer not null,
  used_at integer,
  -- The address that it was mailed to and that nobody else was shown: using it confirms the address. Null: others have seen the link.
  mailed_to text
) strict, without rowid;
create index one_time_links_by_user on one_time_links (user_id);

-- Links that confirm an address and do nothing else, each mailed. Of addresses, too, only SHA-256s are stored. Rows remain for a
-- while, by which mails of this kind are counted.
create table email_confirmations (
  token_hash text not null primary key,
  account_id integer not null,
  -- Null: the person was erased.
  user_id text,
  -- The address as it is stored, and the mailbox that it reaches.
  email_hash text not null,
  mailbox_hash text not null,
  mailed_at integer not null
) strict, without rowid;
create index email_confirmations_by_account on email_confirmations (account_id, mailed_at);
create index email_confirmations_by_mailbox on email_confirmations (mailbox_hash, mailed_at);
create index email_confirmations_by_time on email_confirmations (mailed_at);

-- With these, senders may send frames of an account.
create table ingest_tokens (
  account_id integer not null references accounts,
  id text not null,
  name text not null,
  prefix text not null,
  secret_hash text not null unique,
  created_at integer not null,
  last_used_at integer,
  revoked_at integer,
  primary key (account_id, id)
) strict, without rowid;
create unique index ingest_tokens_by_id on ingest_tokens (id);

-- Links that show vehicles to visitors without an account, until a time.
create table share_links (
  id text not null primary key,
  account_id integer not null,
  -- Who made it: it shows no more than this user sees.
  user_id text not null,
  secret_hash text not null unique,
  -- For the maker's own list; visitors never see it.
  name text not null,
  label text not null check (label in ('name', 'plate')),
  -- Numbers of devices; null in the place of one of which the maker has lost sight.
  devices_json text not null,
  is_live integer not null,
  -- The period of which the track is shown, half-open; null: none.
  from_at integer,
  to_at integer,
  created_at integer not null,
  expires_at integer not null,
  last_opened_at integer,
  ended_at integer,
  end_reason text check (end_reason in ('revoked', 'expired', 'maker', 'vehicles', 'account'))
) strict, without rowid;
create index share_links_by_account on share_links (account_id, created_at);
create index share_links_open on share_links (expires_at) where ended_at is null;
create index share_links_ended on share_links (ended_at) where ended_at is not null;
