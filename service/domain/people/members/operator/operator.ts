import type { Auth } from '../../../../auth/auth.ts';
import type { Config } from '../../../../config/load-config.ts';
import type { Context } from '../../../../context.ts';
import type { ActorReference } from '../../../../db/schema/columns.ts';

/** What operator commands run with: a database, the data folder, mail, and nothing that serves anyone. */
export type OperatorContext = Pick<Context, 'db' | 'clock' | 'mail' | 'auditKeys'> & {
  config: Pick<Config, 'dataDir' | 'publicUrl'>;
  auth: Pick<Auth, 'hashPassword'>;
};

/** How the audit log names whoever runs commands on the machine itself, or sets INIT_* for its first start. */
export const operator: ActorReference = { kind: 'system', id: null, name: 'Operator' };
