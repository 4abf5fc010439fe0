-- Keys, their counters and usage; portal sessions; ingest tokens; the service's own secrets.
-- Of a key, a session or a token only a SHA-256 is stored.

create table api_keys (
  account_id integer not null references accounts,
  id text not null,
  -- The creator: the key sees what this user sees.
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
  primary key (account_id, id)
) strict, without rowid;
create unique index api_keys_by_id on api_keys (id);
create index api_keys_by_user on api_keys (account_id, user_id, id);

-- The limiter's two windows, one row per key, and when the key was used last.
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
  primary key (account_id, key_id)
) strict, without rowid;

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

create table sessions (
  token_hash text not null primary key,
  account_id integer not null references accounts,
  user_id text not null references users,
  created_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index sessions_by_user on sessions (account_id, user_id);

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

-- What all nodes must share, such as the secret that signs cursors.
create table secrets (
  name text not null primary key,
  value text not null,
  created_at integer not null
) strict, without rowid;
