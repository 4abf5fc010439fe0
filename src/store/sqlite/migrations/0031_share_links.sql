-- Links that show vehicles to somebody without an account, until a time. Of a secret only a SHA-256 is stored.
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
