-- What letters ask people to do: erase somebody, or add a colleague whom they name. Read by Today, few among many touches.
create index touches_erasure on touches (at, id)
  where direction = 'in' and reading = 'unsubscribe' and details @> '{"erasure": true}' and person_id is not null;
create index touches_named on touches (at desc, id desc)
  where direction = 'in' and reading = 'referral' and details ? 'referred_to';
