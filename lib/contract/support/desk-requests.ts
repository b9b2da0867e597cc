import { z } from 'zod';
import { rotationRequestStates } from '../api-keys/rotation-reasons.ts';
import { rotationRequest } from '../api-keys/rotation-requests.ts';
import { page, pageQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { foundIn } from './support-desk.ts';

export const deskRequest = rotationRequest.extend({ account: foundIn });

export type DeskRequest = z.infer<typeof deskRequest>;

export const listDeskRequests = defineRoute({
  name: 'listDeskRequests',
  method: 'GET',
  path: '/api/dashboard/support-desk/rotation-requests',
  summary: 'Rotation requests that one made, in all accounts that one can open, newest first',
  description:
    'With what became of each. Those of an account that the person can no longer open, or in which their role makes no requests, are left out.',
  access: 'session',
  query: z.object({
    ...pageQuery,
    state: z
      .enum(rotationRequestStates, { error: `Use one of: ${rotationRequestStates.join(', ')}.` })
      .optional()
      .describe('What became of them; all if left out.'),
  }),
  reply: { 200: page(deskRequest) },
});
