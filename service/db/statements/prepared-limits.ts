/** How many statements a connection keeps prepared; each takes memory of the database. */
export const maxPreparedStatements = 300;

/** The longest statement that stays prepared. Longer ones have many ids, seldom repeated. */
export const maxPreparedTextLength = 12_000;
