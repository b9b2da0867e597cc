import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { isRefusedParameter } from './connect-failure.ts';
import type { DatabaseSetting } from './connect-failure.ts';
import { statementLimits } from './open-pool.ts';
import { connect } from './with-locked-client.ts';

type Required = {
  setting: string;
  value: string;
  accepts: (actual: string) => boolean;
};

const isSet = (actual: string) => actual !== '0';

/** What statements rely on, and what they need instead of another value. */
const required: readonly Required[] = [
  { setting: 'DateStyle', value: 'ISO', accepts: (actual) => actual.startsWith('ISO') },
  equal('standard_conforming_strings', 'on'),
  equal('default_transaction_isolation', 'read committed'),
  { setting: 'statement_timeout', value: '30s', accepts: isSet },
  { setting: 'idle_in_transaction_session_timeout', value: '60s', accepts: isSet },
];

function equal(setting: string, value: string): Required {
  return { setting, value, accepts: (actual) => actual === value };
}

/**
 * Refuses a database in which statements would fail or mean something else, before anything is
 * created there. A connection could set all of this itself, but behind a pooler the next one to use
 * it would inherit that.
 *
 * @returns whether connections may ask for limits of their statements; many poolers refuse that, and
 *   then the role must have them
 * @throws ConnectFailure
 * @throws StartError with the statements to run
 */
export async function requireSettings(
  url: string,
  setting: DatabaseSetting,
): Promise<{ takesLimits: boolean }> {
  const { client, takesLimits } = await connectWithLimits(url, setting);
  try {
    await requireEncoding(client, setting);
    await requireAll(client, setting);
    return { takesLimits };
  } finally {
    await client.end();
  }
}

async function connectWithLimits(
  url: string,
  setting: DatabaseSetting,
): Promise<{ client: pg.Client; takesLimits: boolean }> {
  try {
    const client = await connect({ url, setting, limits: statementLimits });
    return { client, takesLimits: true };
  } catch (error) {
    if (!isRefusedParameter(error)) throw error;
    return { client: await connect({ url, setting }), takesLimits: false };
  }
}

async function requireEncoding(client: pg.Client, setting: DatabaseSetting): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  );
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new StartError(
    `The database in ${setting} has the encoding ${encoding}, which cannot store every text. Create another one with: create database … encoding 'UTF8' template template0;`,
  );
}

async function requireAll(client: pg.Client, setting: DatabaseSetting): Promise<void> {
  const { rows } = await client.query<{ role: string; setting: string; actual: string }>(
    'select quote_ident(current_user) as role, setting, current_setting(setting) as actual from unnest($1::text[]) as setting',
    [required.map((each) => each.setting)],
  );
  const wrong = required.flatMap(({ setting: name, value, accepts }) => {
    const found = rows.find((row) => row.setting === name);
    return found && !accepts(found.actual) ? [{ ...found, value }] : [];
  });
  if (wrong.length === 0) return;
  const states = wrong.map((each) => `${each.setting} is "${each.actual}"`).join(', ');
  const statements = wrong.map(
    (each) => `  alter role ${each.role} set ${each.setting} = '${each.value}';`,
  );
  throw new StartError(
    [
      `PostgreSQL is not set up for this service: ${states} for the role in ${setting}. Run this, let the pooler, if there is one, open new connections, and start again:`,
      ...statements,
    ].join('\n'),
  );
}
