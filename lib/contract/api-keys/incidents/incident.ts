import { z } from 'zod';
import { actorReference } from '../../fields/actor-reference.ts';
import { timestamp, uuid } from '../../fields/fields.ts';
import { keyName } from './incident-keys.ts';
import { incidentActs } from './incident-words.ts';

export const incidentAct = z.enum(incidentActs, { error: 'Use rotate or revoke.' });

/**
 * `running`: some keys wait. `cancelled`: someone cancelled it, and the keys that waited stay as
 * they are.
 */
const incidentStates = ['running', 'done', 'cancelled'] as const;

/**
 * The result for one key. `skipped`: there was nothing to do, or the person may not do it.
 * `failed`: an error prevented it; temporary errors are tried again at first. `cancelled`: the
 * incident was cancelled before its turn.
 */
export const incidentResults = ['waiting', 'done', 'skipped', 'failed', 'cancelled'] as const;

export type IncidentResult = (typeof incidentResults)[number];

/**
 * An incident: many keys of an account are rotated or revoked together, because a laptop was
 * stolen, someone left, or tokens appeared where they should not. The service works through the
 * keys by itself, one transaction for each, whether or not someone watches.
 */
export const incident = z.object({
  uuid,
  act: incidentAct,
  grace_period_seconds: z.int().nullable().describe('Null for a revocation.'),
  reason: z.string(),
  choice: z.object({
    created_by: z.string().nullable().describe('The name of the creator.'),
    created_after: timestamp.nullable(),
    created_before: timestamp.nullable(),
    address: z.string().nullable(),
  }),
  state: z.enum(incidentStates),
  created_at: timestamp,
  created_by: actorReference,
  finished_at: timestamp.nullable(),
  cancelled_by: actorReference.nullable(),
  counts: z.record(z.enum(incidentResults), z.int()).describe('How many keys have each result.'),
});

export type Incident = z.infer<typeof incident>;

export const incidentWithKeys = incident.extend({
  keys: z.array(
    z.object({
      ...keyName,
      last_four: keyName.last_four.describe(
        'The last four characters of the newest token when the incident began.',
      ),
      result: z.enum(incidentResults),
      problem: z.string().nullable().describe('Why it was skipped or failed.'),
      at: timestamp.nullable(),
    }),
  ),
});

export type IncidentWithKeys = z.infer<typeof incidentWithKeys>;
