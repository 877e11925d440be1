-- The error of a row that ALTER TABLE cannot bring to the new type is told in full.
SET rowkey.advice = off;
CREATE TABLE al (id int primary key, v varchar(40));
INSERT INTO al VALUES (1, '123456789012345678');
ALTER TABLE al ALTER COLUMN v TYPE varchar(15);
ALTER TABLE al ALTER COLUMN v TYPE int USING ('x' || v)::int;
ALTER TABLE al ADD COLUMN w int DEFAULT 1 / 0;
ALTER TABLE al ADD COLUMN n int GENERATED ALWAYS AS (100 / (id - 1)) STORED;
ALTER TABLE al ADD CHECK (100 / (id - 1) > 0);
DROP TABLE al;
