/** How many statements a connection keeps prepared; each takes memory of the database. */
export const maxPreparedStatements = 300;

/**
 * The longest text of a statement that a connection keeps prepared. Longer statements write many
 * rows or have many ids, and are seldom repeated.
 */
export const maxPreparedTextLength = 12_000;
