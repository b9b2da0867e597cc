import { z } from 'zod';
import { rotatedToken, rotationInput } from './rotation.ts';
import { boundedText, rawText } from '../bounded-text.ts';
import {
  hiddenCharacterAdvice,
  isPlainText,
  page,
  pageQuery,
  success,
  timestamp,
  uuid,
} from '../fields.ts';
import { roles } from '../roles.ts';
import {
  declineReasons,
  requestObstacles,
  rotationReasons,
  rotationRequestStates,
} from './rotation-reasons.ts';
import { defineRoute } from '../route.ts';

const person = z.object({ id: z.string(), name: z.string() });

/**
 * Somebody who must not see a key's token asks a member who may. The key stays as it is until that
 * member, with their password given lately, rotates it; the token is made then and shown to them.
 */
export const rotationRequest = z.object({
  uuid,
  api_key: z.object({ id: z.int(), uuid, name: z.string(), last_four: z.string() }),
  requested_by: person,
  member: person.describe('Who may rotate the key for this request.'),
  reason: z.enum(rotationReasons),
  note: z.string().nullable(),
  state: z.enum(rotationRequestStates),
  created_at: timestamp,
  expires_at: timestamp.describe('72 hours after it was made.'),
  mailed_at: timestamp
    .nullable()
    .describe(
      'When the member was told of it by email. Null if no email was sent, because they had been sent three about this key within 24 hours.',
    ),
  closed_at: timestamp
    .nullable()
    .describe('When it was done, declined, withdrawn, ended by a revocation, or expired.'),
  closed_by: z
    .string()
    .nullable()
    .describe('The name of who closed it; null if it is open, or if it expired.'),
  closed_because: z
    .enum(requestObstacles)
    .nullable()
    .describe('What kept it from being done before its time was over; null if nothing did.'),
  decline: z
    .object({ reason: z.enum(declineReasons), message: z.string().nullable() })
    .nullable()
    .describe('Why the named member declined; null if they did not, or gave no reason.'),
});

export type RotationRequest = z.infer<typeof rotationRequest>;

/** A member who may see a key's token, and so can be asked. */
const rotator = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
});

export type Rotator = z.infer<typeof rotator>;

/** A few lines from one person to the other. */
function shortMessage(name: 'note' | 'message') {
  return rawText(2000, { tooLong: 'Use at most 500 characters.' })
    .transform((text) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(500, 'Use at most 500 characters.')
        .refine((text) => isPlainText(text.replaceAll(/[\n\t]/g, ' ')), hiddenCharacterAdvice)
        // Whoever reports a leak may have the token at hand, and notes are shown to others.
        .refine(
          (text) => !/sk_live_\w{20}|whsec_[\w+/]{20}/.test(text),
          `Leave tokens and secrets out of the ${name}.`,
        ),
    )
    .optional();
}

export const requestRotationInput = z.strictObject({
  member: boundedText(64, { error: 'Choose who should rotate the key.' }),
  reason: z.enum(rotationReasons, { error: 'Choose a reason.' }),
  note: shortMessage('note'),
});

export type RequestRotationInput = z.input<typeof requestRotationInput>;

export const listRotationRequests = defineRoute({
  name: 'listRotationRequests',
  method: 'GET',
  path: '/api/dashboard/rotation-requests',
  summary: 'Open rotation requests that one made or is named in, newest first',
  access: { scope: null, act: 'api-keys.rotate' },
  reply: { 200: success(z.array(rotationRequest)) },
});

export const listRotationRequestHistory = defineRoute({
  name: 'listRotationRequestHistory',
  method: 'GET',
  path: '/api/dashboard/rotation-request-history',
  summary: 'Rotation requests with what became of each, newest first',
  description:
    'Returns the requests that the person made or is named in; for owners and admins, all of the account.',
  access: { scope: null, act: 'api-keys.rotate' },
  query: z.object(pageQuery),
  reply: { 200: page(rotationRequest) },
});

export const getRotationRequest = defineRoute({
  name: 'getRotationRequest',
  method: 'GET',
  path: '/api/dashboard/rotation-requests/{rotationRequest}',
  summary: 'One rotation request, open or not',
  description:
    'For whoever made it, whom it names, and owners and admins; to anybody else there is no such request.',
  access: { scope: null, act: 'api-keys.rotate' },
  reply: { 200: success(rotationRequest) },
});

export const listRotators = defineRoute({
  name: 'listRotators',
  method: 'GET',
  path: '/api/dashboard/api-keys/{apiKey}/rotators',
  summary: 'Which other members may rotate a key and see its token',
  access: { scope: null, act: 'api-keys.read' },
  reply: { 200: success(z.array(rotator)) },
});

export const requestRotation = defineRoute({
  name: 'requestRotation',
  method: 'POST',
  path: '/api/dashboard/api-keys/{apiKey}/rotation-requests',
  summary: 'Ask another member to rotate a key',
  description:
    'Changes nothing about the key. A key has one open request at a time: another is refused, which names the open one. But a request with the reason `leaked` withdraws one that the same person made for another reason. Rotating or revoking the key in any way closes it. The member is told by email, but of one key at most three times within 24 hours, however many requests there are; a request beyond that is made all the same.',
  access: { scope: null, act: 'api-keys.rotate' },
  body: requestRotationInput,
  reply: { 201: success(rotationRequest) },
});

export const rotateOnRequest = defineRoute({
  name: 'rotateOnRequest',
  method: 'POST',
  path: '/api/dashboard/rotation-requests/{rotationRequest}/rotate',
  summary: 'Rotate the key one was asked to rotate',
  description: 'For the named member only; to anybody else there is no such request.',
  access: { scope: null, act: 'api-keys.rotate' },
  needsProof: true,
  body: rotationInput,
  onRepeat: 'fresh-secret',
  reply: { 201: success(rotatedToken) },
});

export const revokeLeakedKey = defineRoute({
  name: 'revokeLeakedKey',
  method: 'POST',
  path: '/api/dashboard/rotation-requests/{rotationRequest}/revoke',
  summary: 'End a key one has reported as leaked, without waiting for its rotation',
  description: 'For whoever asked only, while the request is open and says `leaked`.',
  access: { scope: null, act: 'api-keys.rotate' },
  needsProof: true,
  reply: { 204: null },
});

export const withdrawRotationRequest = defineRoute({
  name: 'withdrawRotationRequest',
  method: 'DELETE',
  path: '/api/dashboard/rotation-requests/{rotationRequest}',
  summary: 'Withdraw a rotation request',
  description: 'Whom it names is told by email, if the request was emailed to them.',
  access: { scope: null, act: 'api-keys.rotate' },
  reply: { 204: null },
});

export const declineInput = z.strictObject({
  reason: z.enum(declineReasons, { error: 'Choose a reason.' }),
  message: shortMessage('message'),
});

export type DeclineInput = z.input<typeof declineInput>;

export const declineRotationRequest = defineRoute({
  name: 'declineRotationRequest',
  method: 'POST',
  path: '/api/dashboard/rotation-requests/{rotationRequest}/decline',
  summary: 'Decline a rotation request',
  description:
    'For the named member only; to anybody else there is no such request. The key stays as it is, and whoever asked is told why.',
  access: { scope: null, act: 'api-keys.rotate' },
  body: declineInput,
  reply: { 204: null },
});
