import { z } from 'zod';
import { sampleActor } from '../samples.ts';

/** Who did something: a member, an API key, or the service itself. */
export const actorReference = z
  .object({
    kind: z
      .enum(['person', 'api_key', 'system'])
      .describe('A member of the account, an API key, or the service itself.'),
    id: z
      .string()
      .nullable()
      .describe('Id of the person or UUID of the key; null for the service.'),
    name: z.string().describe('Their name at that time.'),
  })
  .meta({
    id: 'Actor',
    description: 'Who did something: a member of the account, an API key, or the service itself.',
    examples: [sampleActor],
  });
