-- received_at is the first receipt of a frame. Where the frame was from the future by it, because the clock of the server
-- was slow, and a later receipt said otherwise, timely_at is the first that did. Null: the first receipt decides.
alter table frames add column timely_at integer;
