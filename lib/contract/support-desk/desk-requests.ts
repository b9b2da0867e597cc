import { z } from 'zod';
import { rotationRequestStates } from '../api-keys/rotation-reasons.ts';
import { rotationRequest } from '../api-keys/rotation-requests.ts';
import { page, pageQuery } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { foundIn } from './support-desk.ts';

export const deskRequest = rotationRequest.extend({
  account: foundIn,
  can_open: z
    .boolean()
    .describe(
      'Whether they can open the account. If not, an owner closed it to installation support while the request was open.',
    ),
});

export type DeskRequest = z.infer<typeof deskRequest>;

export const listDeskRequests = defineRoute({
  name: 'listDeskRequests',
  method: 'GET',
  path: '/api/dashboard/support-desk/rotation-requests',
  summary:
    'List the rotation requests that you made in all accounts that you can open, newest first',
  description:
    'Includes their outcomes. Requests in an account that the person can no longer open, or in which their role makes no requests, are left out, except those that were withdrawn because an owner closed the account to installation support.',
  access: 'session',
  query: z.strictObject({
    ...pageQuery,
    state: z
      .enum(rotationRequestStates, { error: `Use one of: ${rotationRequestStates.join(', ')}.` })
      .optional()
      .describe('Lists only requests in this state. Default: all.'),
  }),
  response: { 200: page(deskRequest) },
});
