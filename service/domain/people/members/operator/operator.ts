import type { Auth } from '../../../../auth/auth.ts';
import type { Config } from '../../../../config/load-config.ts';
import type { Context } from '../../../../context.ts';
import type { ActorReference } from '../../../../db/schema/columns.ts';

/** What operator commands use: a database, the data folder, email, nothing that serves requests. */
export type OperatorContext = Pick<
  Context,
  'db' | 'clock' | 'mail' | 'auditKeys' | 'effects' | 'tracing'
> & {
  config: Pick<Config, 'dataDir' | 'publicUrl'>;
  auth: Pick<Auth, 'hashPassword'>;
};

/** The actor of commands on the machine itself, and of INIT_* at the first start. */
export const operator: ActorReference = { kind: 'system', id: null, name: 'Operator' };
