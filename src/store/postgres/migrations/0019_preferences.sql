-- How people want to read the portal: one row for a person, or for the account's people together (then the account's id).
create table preferences (
  account_id bigint not null,
  whose uuid not null,
  -- Null: not chosen.
  language text,
  distance text,
  volume text,
  temperature text,
  clock text,
  week_start text,
  primary key (account_id, whose)
);
