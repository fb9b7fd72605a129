-- A small shop with every trap that the statistics checks are about. Plain SQL for all engines.
CREATE TABLE customers (
  id integer PRIMARY KEY, name varchar(60) NOT NULL, email varchar(80) UNIQUE, city varchar(40),
  joined date, vip varchar(10), referred_by integer, credit double precision);
CREATE TABLE products (
  id integer PRIMARY KEY, name varchar(60) NOT NULL, category varchar(30) NOT NULL,
  price integer NOT NULL, weight varchar(10), stock integer NOT NULL, discontinued varchar(5));
CREATE TABLE orders (
  id integer PRIMARY KEY, customer_id integer REFERENCES customers (id), ordered_at timestamp NOT NULL,
  status varchar(20) NOT NULL, total integer NOT NULL, discount integer, shipped date);
CREATE TABLE order_items (
  order_id integer NOT NULL REFERENCES orders (id), product_id integer NOT NULL REFERENCES products (id),
  quantity integer NOT NULL, price integer NOT NULL, PRIMARY KEY (order_id, product_id));
CREATE TABLE payments (
  id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders (id), amount integer NOT NULL,
  paid_at timestamp NOT NULL, method varchar(20));
CREATE TABLE friends (
  a integer NOT NULL REFERENCES customers (id), b integer NOT NULL REFERENCES customers (id),
  PRIMARY KEY (a, b));
CREATE TABLE employees (
  id integer PRIMARY KEY, name varchar(40) NOT NULL, boss_id integer REFERENCES employees (id),
  salary integer NOT NULL, bonus integer, hired varchar(10));
-- Two customers are called Ann Lee; one city is missing; the flag is 'Y', 'N' or 'Unknown'.
INSERT INTO customers VALUES
  (1, 'Ann Lee', 'ann@a.example', 'Berlin', '2019-01-05', 'Y', NULL, 10.5),
  (2, 'Bob Stone', 'bob@a.example', 'Paris', '2019-03-09', 'N', 1, 0),
  (3, 'Ann Lee', 'ann2@a.example', 'Paris', '2020-02-01', 'N', 1, 7.25),
  (4, 'Chloé Dubois', 'chloe@a.example', 'Zürich', '2020-06-30', 'Unknown', 2, NULL),
  (5, 'Dan Fox', 'dan@a.example', NULL, '2021-11-11', 'Y', NULL, 3),
  (6, 'Eve Gray', NULL, 'Berlin', '2022-12-31', 'N', 3, 0);
-- weight is text that holds numbers; discontinued is 'true' or 'false' as text.
INSERT INTO products VALUES
  (1, 'Oak Table', 'Furniture', 300, '25', 4, 'false'),
  (2, 'Pine Chair', 'Furniture', 80, '7', 0, 'false'),
  (3, 'Desk Lamp', 'LIGHTING', 40, '2.5', 12, 'false'),
  (4, 'Floor Lamp', 'LIGHTING', 90, '9', 3, 'true'),
  (5, 'Rug', 'Textiles', 120, '100', 5, 'false'),
  (6, 'Flooring', 'Building', 20, '12', 50, 'true');
-- The last order of 2020 is on the evening of 31 December; two orders tie on the total.
INSERT INTO orders VALUES
  (1, 1, '2020-01-10 09:00:00', 'paid', 380, NULL, '2020-01-12'),
  (2, 1, '2020-05-05 18:30:00', 'paid', 120, 10, '2020-05-07'),
  (3, 2, '2020-12-31 20:15:00', 'open', 300, NULL, NULL),
  (4, 3, '2021-03-01 00:00:00', 'paid', 380, 5, '2021-03-05'),
  (5, 4, '2021-07-15 12:00:00', 'cancelled', 40, NULL, NULL),
  (6, NULL, '2021-08-01 10:00:00', 'open', 90, NULL, NULL);
INSERT INTO order_items VALUES
  (1, 1, 1, 300), (1, 2, 1, 80), (2, 5, 1, 120), (3, 1, 1, 300), (4, 1, 1, 300), (4, 2, 1, 80),
  (5, 3, 1, 40), (6, 4, 1, 90);
-- Order 1 is paid in two parts.
INSERT INTO payments VALUES
  (1, 1, 200, '2020-01-11 10:00:00', 'card'), (2, 1, 180, '2020-01-20 10:00:00', 'card'),
  (3, 2, 120, '2020-05-05 19:00:00', 'cash'), (4, 4, 380, '2021-03-02 08:00:00', 'card');
-- Friendship is stored both ways.
INSERT INTO friends VALUES (1, 2), (2, 1), (1, 3), (3, 1), (4, 5), (5, 4);
INSERT INTO employees VALUES (1, 'Max', NULL, 9000, NULL, '2010-01-01');
INSERT INTO employees VALUES (2, 'Ida', 1, 7000, 500, '2012-06-01');
INSERT INTO employees VALUES (3, 'Ole', 1, 7000, 0, '2015-03-15');
INSERT INTO employees VALUES (4, 'Una', 2, 4000, NULL, '2018-10-01');
-- Two spellings of one kind; codes padded with zeros and in CHAR; days written as month/day/year.
CREATE TABLE reports (
  id integer PRIMARY KEY, kind varchar(30) NOT NULL, code varchar(8), area char(6), filed varchar(10),
  solved varchar(7), amount varchar(12));
INSERT INTO reports VALUES (1, 'theft', '0110', 'N', '12/31/2019', 'yes', '15');
INSERT INTO reports VALUES (2, 'THEFT', '0820', 'S', '01/15/2020', 'no', '100');
INSERT INTO reports VALUES (3, 'Criminal Damage', '1310', 'N', '02/03/2020', 'no', '9.5');
INSERT INTO reports VALUES (4, 'Criminal-Damage', '1310', 'S', '03/04/2020', 'yes', '20');
INSERT INTO reports VALUES (5, ' Arson ', '1020', 'W', '11/30/2020', 'no', '7');
