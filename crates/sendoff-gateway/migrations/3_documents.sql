-- The number of the last change. A change begins with its update, so that changes run one after the other.
CREATE TABLE revision (
  id BIGINT PRIMARY KEY,
  number BIGINT NOT NULL
);

INSERT INTO revision (id, number) VALUES (1, 0);

-- Applications, each as a document of JSON with the keys of `sendoff-gateway export`.
CREATE TABLE application (
  environment TEXT NOT NULL,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (environment, name)
);

-- The audit log: one row for each change, whose number is the revision after it.
CREATE TABLE change (
  revision BIGINT PRIMARY KEY,
  environment TEXT NOT NULL,
  application TEXT NOT NULL,
  -- JSON, as the admin API shows it.
  entry TEXT NOT NULL
);

CREATE INDEX change_of_application ON change (environment, application, revision);

-- Answers to changes by their idempotency keys, without secrets.
CREATE TABLE answer (
  idempotency_key TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  status BIGINT NOT NULL,
  body TEXT NOT NULL,
  made_at BIGINT NOT NULL
);
