-- Its place is taken.
select 1;
