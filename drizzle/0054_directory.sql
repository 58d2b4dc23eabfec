-- Four tables belong to the directory from here on (drizzle/directory/). They stay here, because both databases may be one.
SELECT 1;
