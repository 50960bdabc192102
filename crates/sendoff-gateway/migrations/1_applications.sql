-- The number of the last change. A change begins with its update, so that changes run one after the other.
CREATE TABLE revision (
  id BIGINT PRIMARY KEY,
  number BIGINT NOT NULL
);

INSERT INTO revision (id, number) VALUES (1, 0);

-- The audit log: one row for each change, whose number is the revision after it.
CREATE TABLE change (
  revision BIGINT PRIMARY KEY,
  made_at BIGINT NOT NULL,
  made_by TEXT NOT NULL,
  environment TEXT NOT NULL,
  application TEXT NOT NULL,
  action TEXT NOT NULL,
  about TEXT NOT NULL
);

CREATE INDEX change_of_application ON change (environment, application, revision);

CREATE TABLE application (
  environment TEXT NOT NULL,
  name TEXT NOT NULL,
  client_swa TEXT NOT NULL,
  -- `none`, or a policy as the core writes it; absent for that of the environment.
  policy TEXT,
  -- `*`, or origins one a line; absent for those of the environment.
  origins TEXT,
  -- As the core writes it.
  catalogue TEXT NOT NULL,
  PRIMARY KEY (environment, name)
);

-- Keys and tokens, by the digests of their texts.
CREATE TABLE credential (
  environment TEXT NOT NULL,
  digest TEXT NOT NULL,
  application TEXT NOT NULL,
  -- `client`, `server` or `user`.
  kind TEXT NOT NULL,
  -- Of a user.
  user_swa TEXT,
  made_at BIGINT NOT NULL,
  ends_at BIGINT,
  PRIMARY KEY (environment, digest),
  FOREIGN KEY (environment, application) REFERENCES application (environment, name) ON DELETE CASCADE
);

CREATE INDEX credential_of_application ON credential (environment, application, digest);

CREATE TABLE sponsorship (
  environment TEXT NOT NULL,
  application TEXT NOT NULL,
  caip2_id TEXT NOT NULL,
  gsn_enabled BIGINT NOT NULL,
  sponsorship_enabled BIGINT NOT NULL,
  transaction_fee TEXT,
  PRIMARY KEY (environment, application, caip2_id),
  FOREIGN KEY (environment, application) REFERENCES application (environment, name) ON DELETE CASCADE
);

-- Answers to changes by their idempotency keys, without secrets.
CREATE TABLE answer (
  idempotency_key TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  status BIGINT NOT NULL,
  body TEXT NOT NULL,
  made_at BIGINT NOT NULL
);
