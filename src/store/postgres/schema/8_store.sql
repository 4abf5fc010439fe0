-- The store's own affairs.

-- What is packed into a column has a form that no schema shows. Its number is here, so that a program knows what it reads
-- (src/store/forms.ts).
create table store_forms (
  name text not null primary key,
  form integer not null
);
insert into store_forms (name, form) values ('frames', 3), ('fold_states', 5), ('live_positions', 1), ('rules', 5);

-- What all nodes must share, such as the secret that signs cursors.
create table secrets (
  name text not null primary key,
  value text not null,
  created_at bigint not null
);

-- Work that one node does for all: who does it, and until when by the database's clock.
create table leases (
  name text not null primary key,
  holder text not null,
  until bigint not null
);

-- Accounts in which there may be work for the background: what kind, and from when on. Each mark is a row of its own, so that nobody
-- waits for another's, and one that comes while the work is done is not lost.
create table account_marks (
  mark bigint not null primary key,
  work text not null,
  account_id bigint not null,
  due_at bigint not null
);
create index account_marks_by_time on account_marks (work, due_at);
create index account_marks_by_account on account_marks (work, account_id);

-- Up to which row of an old table everything is rewritten (src/store/conversion.ts).
create table carried_over (
  name text not null primary key,
  account_id bigint not null,
  device bigint not null,
  recorded_at bigint not null,
  digest bigint not null,
  -- How many rows that were, of whichever program.
  done bigint not null,
  kind text not null default ''
);

-- What erasing leaves to be done: `unpurged` counts what was erased and may still be in the store's files.
create table erasure_notes (
  name text primary key,
  number bigint not null
);
insert into erasure_notes (name, number) values ('unpurged', 0);
