import type { PGlite, QueryOptions } from '@electric-sql/pglite';

/**
 * Lets drizzle's parsers be PGlite's own. drizzle sends the same few with each query, for each of
 * which PGlite copies the hundred that it has: that was a tenth of the processor time of small
 * queries.
 */
export function shareParsers(pglite: PGlite): void {
  const withoutParsers = (options?: QueryOptions): QueryOptions | undefined => {
    if (!options?.parsers) return options;
    const { parsers, ...others } = options;
    Object.assign(pglite.parsers, parsers);
    return others;
  };
  const query = pglite.query.bind(pglite);
  const transaction = pglite.transaction.bind(pglite);

  pglite.query = async (text, params, options) =>
    await query(text, params, withoutParsers(options));
  pglite.transaction = async (act) =>
    await transaction(async (tx) => {
      const queryInside = tx.query.bind(tx);
      tx.query = async (text, params, options) =>
        await queryInside(text, params, withoutParsers(options));
      return await act(tx);
    });
}
