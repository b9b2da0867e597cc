/** How many milliseconds a statement, and a transaction without a statement, may take. */
export const statementLimits = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
};
