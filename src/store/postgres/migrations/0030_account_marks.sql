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
