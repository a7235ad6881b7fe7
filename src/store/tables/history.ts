/**
 * History, in a file of its own or beside the other tables. All times are unix seconds. `driver`: a name without its case, as
 * `drivers` has it with the one that was last seen.
 */
export const historyTables = `
  CREATE TABLE drivers (driver TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Sessions that are over. Seconds played, and in each role: null where the live file did not say.
  CREATE TABLE sessions (
    began INTEGER NOT NULL,
    driver TEXT NOT NULL,
    server TEXT NOT NULL,
    ended INTEGER NOT NULL,
    played INTEGER NOT NULL,
    police INTEGER,
    medic INTEGER,
    tow INTEGER,
    start_known INTEGER NOT NULL,
    end_known INTEGER NOT NULL,
    PRIMARY KEY (began, driver, server)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_driver ON sessions (driver);

  -- Time online by hours, days and 30 days, whose length in seconds is the step. A driver on two servers counts once.
  CREATE TABLE played (
    step INTEGER NOT NULL,
    at INTEGER NOT NULL,
    driver TEXT NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (step, at, driver)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX played_of_driver ON played (driver);

  -- Minutes known of a step, and hundredths of drivers and police added up over them; null where one of them has no police.
  CREATE TABLE counts (
    place TEXT NOT NULL,
    step INTEGER NOT NULL,
    at INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    drivers INTEGER NOT NULL,
    most INTEGER NOT NULL,
    police INTEGER,
    PRIMARY KEY (place, step, at)
  ) STRICT, WITHOUT ROWID;

  -- When a place was read without a gap.
  CREATE TABLE coverage (
    place TEXT NOT NULL,
    began INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (place, began)
  ) STRICT, WITHOUT ROWID;

  -- Figures of profiles, one reading a UTC day at most; null where the profile lacked one.
  CREATE TABLE readings (
    driver TEXT NOT NULL,
    day INTEGER NOT NULL,
    at INTEGER NOT NULL,
    money REAL,
    driven_distance REAL,
    chases_won_cop REAL,
    chases_won_robber REAL,
    gaming_time_total REAL,
    gaming_time_cop REAL,
    PRIMARY KEY (driver, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX readings_by_day ON readings (day);

  -- The first and the last reading of each driver, kept when those between them are not.
  CREATE TABLE reading_ends (
    driver TEXT NOT NULL,
    is_last INTEGER NOT NULL,
    at INTEGER NOT NULL,
    money REAL,
    driven_distance REAL,
    chases_won_cop REAL,
    chases_won_robber REAL,
    gaming_time_total REAL,
    gaming_time_cop REAL,
    PRIMARY KEY (driver, is_last)
  ) STRICT, WITHOUT ROWID;

  -- Cars as they were last seen for sale.
  CREATE TABLE offers (
    model TEXT NOT NULL,
    vin TEXT NOT NULL,
    at INTEGER NOT NULL,
    gone INTEGER,
    price REAL,
    PRIMARY KEY (model, vin)
  ) STRICT, WITHOUT ROWID;

  -- When a server, or the data service, was up (1) or down (0).
  CREATE TABLE runs (
    name TEXT NOT NULL,
    began INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    is_up INTEGER NOT NULL,
    PRIMARY KEY (name, began)
  ) STRICT, WITHOUT ROWID;

  -- What a restart goes on with.
  CREATE TABLE recorder (id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL) STRICT;
`;

/** In the order in which they can be filled, with the columns of their keys. */
export const HISTORY_TABLES = {
  drivers: ['driver'],
  sessions: ['began', 'driver', 'server'],
  played: ['step', 'at', 'driver'],
  counts: ['place', 'step', 'at'],
  coverage: ['place', 'began'],
  readings: ['driver', 'day'],
  reading_ends: ['driver', 'is_last'],
  offers: ['model', 'vin'],
  runs: ['name', 'began'],
  recorder: ['id'],
} as const;
export type HistoryTable = keyof typeof HISTORY_TABLES;
