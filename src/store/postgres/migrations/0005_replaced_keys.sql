-- The successor of a key that is being replaced: it has one, and no other.
alter table api_keys add column replaced_by text;
