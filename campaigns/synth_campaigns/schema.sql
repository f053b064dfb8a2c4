-- The results of a campaign. docs/do/campaigns.md says what the words mean.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE device (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,       -- as the campaign names it
    kind        TEXT NOT NULL,
    shows_flags INTEGER NOT NULL,           -- whether the host sees flags of threads while the device works
    decides     INTEGER NOT NULL,           -- whether a launch is given up only if it certainly hangs
    driver      TEXT NOT NULL DEFAULT '',   -- the line in which the device says what it is; empty until it has
    told        TEXT NOT NULL DEFAULT '{}', -- JSON: what the driver says besides
    memory_order TEXT NOT NULL DEFAULT '',
    environment TEXT NOT NULL DEFAULT '{}', -- JSON: variables that decide which device a driver offers
    host        TEXT NOT NULL DEFAULT ''    -- system, release and machine; no name of a host or a user
) STRICT;

CREATE TABLE test (
    id   TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE TABLE build (
    id       INTEGER PRIMARY KEY,
    device   INTEGER NOT NULL REFERENCES device,
    target   TEXT NOT NULL,
    digest   TEXT NOT NULL,                 -- SHA-256 of all files of which the programs were made
    compiler TEXT NOT NULL,
    UNIQUE (device, digest, compiler)
) STRICT;

CREATE TABLE cell (
    id         INTEGER PRIMARY KEY,         -- from 1 on, in the order in which cells are run
    device     INTEGER NOT NULL REFERENCES device,
    run        INTEGER NOT NULL,            -- the number of the part [[run]], from 0 on
    test       TEXT NOT NULL REFERENCES test,
    threads    INTEGER NOT NULL,
    mapping    TEXT NOT NULL,
    instances  INTEGER NOT NULL,
    workgroups INTEGER NOT NULL,
    stress     INTEGER NOT NULL,
    busy       INTEGER NOT NULL,
    declared   INTEGER NOT NULL,            -- launches
    width      INTEGER NOT NULL,            -- threads of a workgroup
    stress_shape TEXT NOT NULL,             -- what the workgroups do that stress memory
    across     TEXT NOT NULL,               -- which parts of a launch run the threads of a test
    row        TEXT NOT NULL DEFAULT '',    -- the row of a published table, and the heading of the column
    heading    TEXT NOT NULL DEFAULT '',
    purpose    TEXT NOT NULL DEFAULT ''     -- empty for a cell that the campaign declares
) STRICT;

CREATE TABLE source (                       -- a file with results of others
    id     INTEGER PRIMARY KEY,
    time   TEXT NOT NULL,                   -- UTC: when it was read
    kind   TEXT NOT NULL CHECK (kind IN ('lines', 'table')),
    name   TEXT NOT NULL,                   -- of the file, without its folder
    digest TEXT NOT NULL UNIQUE,            -- SHA-256 of the file
    told   TEXT NOT NULL DEFAULT '{}'       -- JSON: what is known of the file besides
) STRICT;

CREATE TABLE tally (                        -- launches of which only the number is known
    cell     INTEGER NOT NULL REFERENCES cell,
    source   INTEGER NOT NULL REFERENCES source,
    end      TEXT NOT NULL CHECK (end IN ('ended', 'given up', 'lost', 'crashed')),
    launches INTEGER NOT NULL CHECK (launches > 0),
    is_least INTEGER NOT NULL,              -- whether there may have been more
    timeout  REAL,                          -- seconds; NULL if it is unknown
    PRIMARY KEY (cell, source, end)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- so that a deleted attempt leaves a trace
    cell        INTEGER NOT NULL REFERENCES cell,
    build       INTEGER NOT NULL REFERENCES build,
    state       TEXT NOT NULL CHECK (state IN ('started', 'done', 'orphaned', 'refused')),
    started     TEXT NOT NULL,              -- UTC
    ended       TEXT,
    process     INTEGER,                    -- the attempt for which its process was started
    timeout     REAL NOT NULL,              -- seconds
    pid         INTEGER,
    exit_code   INTEGER,
    signal      INTEGER,
    load_before REAL,
    load_after  REAL,
    problem     TEXT NOT NULL DEFAULT '',
    canary      TEXT NOT NULL DEFAULT '',   -- the result of the canary, if one was run
    launches    INTEGER,                    -- how many launches it had; NULL until it is done
    said        TEXT NOT NULL DEFAULT '',   -- the beginning of standard error, if something was wrong
    source      INTEGER REFERENCES source   -- the file that it was read from; NULL if this campaign ran it
) STRICT;
CREATE INDEX attempt_of_cell ON attempt (cell);

CREATE TABLE launch (
    attempt  INTEGER NOT NULL REFERENCES attempt,
    number   INTEGER NOT NULL,
    end      TEXT NOT NULL CHECK (end IN ('ended', 'left early', 'given up', 'lost', 'crashed', 'failed')),
    seconds  REAL,
    quiet    REAL,                          -- seconds
    started  TEXT NOT NULL DEFAULT '{}',    -- JSON: sets of threads, and numbers of instances
    finished TEXT NOT NULL DEFAULT '{}',
    code     TEXT NOT NULL DEFAULT '',
    reason   TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (attempt, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
    id      INTEGER PRIMARY KEY,
    time    TEXT NOT NULL,                  -- UTC
    attempt INTEGER REFERENCES attempt,
    kind    TEXT NOT NULL,
    text    TEXT NOT NULL
) STRICT;
