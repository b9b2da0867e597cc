import type { Auth } from '../../../../auth/auth.ts';
import type { Config } from '../../../../config/load-config.ts';
import type { Context } from '../../../../context.ts';
import type { ActorReference } from '../../../../db/schema/columns.ts';

/**
 * The context of operator commands: a database, the data folder and email, but nothing that serves
 * requests.
 */
export type OperatorContext = Pick<Context, 'db' | 'clock' | 'mail' | 'auditKeys' | 'effects'> & {
  config: Pick<Config, 'dataDir' | 'publicUrl'>;
  auth: Pick<Auth, 'hashPassword'>;
};

/**
 * The actor in the audit log for someone who runs commands on the machine itself, or sets INIT_*
 * for its first start.
 */
export const operator: ActorReference = { kind: 'system', id: null, name: 'Operator' };
