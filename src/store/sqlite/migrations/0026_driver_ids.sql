-- Frames may have a driver: a further part of a row, and a further column of a block (src/store/blocks). What is stored already
-- has none, and stays as it is. A program that would lose drivers must not open the store.
update store_forms set form = 3 where name = 'frames';
