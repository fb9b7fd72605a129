CREATE TABLE stadium (
  stadium_id INTEGER PRIMARY KEY,
  name VARCHAR(40) NOT NULL,
  city VARCHAR(40),
  capacity INTEGER,
  opened_year INTEGER
);
CREATE TABLE singer (
  singer_id INTEGER PRIMARY KEY,
  name VARCHAR(40) NOT NULL,
  country VARCHAR(40),
  age INTEGER,
  is_active BOOLEAN NOT NULL
);
CREATE TABLE concert (
  concert_id INTEGER PRIMARY KEY,
  title VARCHAR(60) NOT NULL,
  stadium_id INTEGER REFERENCES stadium (stadium_id),
  held_on DATE NOT NULL,
  tickets_sold INTEGER
);
CREATE TABLE performance (
  concert_id INTEGER REFERENCES concert (concert_id),
  singer_id INTEGER REFERENCES singer (singer_id),
  PRIMARY KEY (concert_id, singer_id)
);
CREATE TABLE song (
  song_id INTEGER PRIMARY KEY,
  title VARCHAR(60) NOT NULL,
  singer_id INTEGER REFERENCES singer (singer_id),
  release_year INTEGER,
  sales INTEGER
);
INSERT INTO stadium VALUES
  (1, 'North Park', 'Leeds', 12000, 1988),
  (2, 'Harbour Arena', 'Bristol', 8000, 2004),
  (3, 'Old Mill', 'Leeds', 3000, 1961),
  (4, 'Castle Green', 'Cardiff', 12000, NULL);
INSERT INTO singer VALUES
  (1, 'Ada Moss', 'Wales', 31, TRUE),
  (2, 'Ben Okoro', 'England', 45, TRUE),
  (3, 'Cleo Hart', 'England', 27, FALSE),
  (4, 'Dai Evans', 'Wales', 45, TRUE),
  (5, 'Elin Berg', 'Sweden', NULL, FALSE);
INSERT INTO concert VALUES
  (1, 'Summer Lights', 1, '2019-06-21', 9000),
  (2, 'Harvest Home', 1, '2019-12-31', 11000),
  (3, 'Sea Songs', 2, '2020-02-29', 4500),
  (4, 'First Frost', 1, '2020-12-31', NULL),
  (5, 'New Leaves', 3, '2021-01-01', 2500),
  (6, 'Open Air', NULL, '2021-07-10', 700);
INSERT INTO performance VALUES (1, 1), (1, 2), (2, 2), (3, 3), (4, 1), (4, 2), (5, 4), (6, 4);
INSERT INTO song VALUES
  (1, 'Tide', 1, 2015, 30000),
  (2, 'Stone', 1, 2018, 12000),
  (3, 'Lanterns', 2, 2018, 90000),
  (4, 'Rain Again', 3, 2020, 5000),
  (5, 'Homeward', 4, NULL, 90000);
