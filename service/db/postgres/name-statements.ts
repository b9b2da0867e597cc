import type pg from 'pg';
import { maxPreparedStatements, maxPreparedTextLength } from '../statements/prepared-limits.ts';

/**
 * Makes each connection of the pool keep repeated statements prepared, so that the server parses
 * and plans them once. `pg` prepares a statement that has a name, but the query builder gives it
 * none.
 */
export function nameStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const names = new StatementNames();
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((config: unknown, ...others: unknown[]) => {
      const [values] = others;
      // Statements without values are sent as text, because they may contain several commands.
      if (!isStatement(config) || !Array.isArray(values) || values.length === 0) {
        return query(config, ...others);
      }
      const name = names.of(config.text);
      return query(name === undefined ? config : { ...config, name }, ...others);
    }) as typeof client.query;
  });
}

/** The names of one connection's prepared statements. */
class StatementNames {
  readonly #names = new Map<string, string>();
  /** Statements that were used once, the latest last. */
  readonly #seen = new Set<string>();

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (text.length > maxPreparedTextLength || this.#names.size === maxPreparedStatements)
      return undefined;
    if (!this.#seen.delete(text)) {
      this.#seen.add(text);
      const [oldest] = this.#seen;
      if (this.#seen.size > maxPreparedStatements && oldest !== undefined)
        this.#seen.delete(oldest);
      return undefined;
    }
    const name = `s${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}

function isStatement(config: unknown): config is { text: string } {
  if (typeof config !== 'object' || config === null || !('text' in config)) return false;
  return typeof config.text === 'string' && !('name' in config && config.name);
}
