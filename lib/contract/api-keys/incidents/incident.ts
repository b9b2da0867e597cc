import { z } from 'zod';
import { actorReference } from '../../fields/actor-reference.ts';
import { timestamp, uuid } from '../../fields/fields.ts';
import { keysOf } from '../../../object-keys.ts';
import { incidentWords } from './incident-words.ts';

export const incidentAct = z.enum(keysOf(incidentWords), {
  error: 'Use rotate, revoke, pause or resume.',
});

/** How people recognize a key. */
export const keyName = { uuid, name: z.string(), last_four: z.string().length(4) };

/** `running`: some keys wait. `cancelled`: the keys that waited stay as they are. */
const incidentStates = ['running', 'done', 'cancelled'] as const;

/**
 * The result for one key. `skipped`: there was nothing to do, or the person may not do it.
 * `failed`: an error prevented it; temporary errors are tried again at first. `cancelled`: the
 * incident was cancelled before its turn.
 */
export const incidentResults = ['waiting', 'done', 'skipped', 'failed', 'cancelled'] as const;

export type IncidentResult = (typeof incidentResults)[number];

/**
 * An incident: many keys of an account are rotated, revoked, paused or resumed together, with a
 * reason: a laptop was stolen, someone left, or tokens appeared where they should not. The service works through the
 * keys by itself, one transaction for each, whether or not someone watches.
 */
export const incident = z.object({
  uuid,
  act: incidentAct,
  grace_period_seconds: z.int().nullable().describe('Null unless the keys are rotated.'),
  reason: z.string(),
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
