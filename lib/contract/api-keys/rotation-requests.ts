import { z } from 'zod';
import { rotatedToken, rotationInput } from './rotation.ts';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { page, pageQuery, success, timestamp, uuid } from '../fields/fields.ts';
import { hiddenCharacterAdvice, hasNoSecret, isPlainText } from '../fields/plain-text.ts';
import { roles } from '../rights/roles.ts';
import {
  declineReasons,
  requestActs,
  requestObstacles,
  requestReasons,
  rotationReasons,
  rotationRequestStates,
} from './rotation-reasons.ts';
import { defineRoute } from '../route.ts';

const person = z.object({ id: z.string(), name: z.string() });

/**
 * A person who must not see a key's token, or may not change a webhook, asks a member who may.
 * Nothing changes until that member does it, with the proof that the act needs. Only then is the
 * token or secret created, and it is shown to them.
 */
export const rotationRequest = z.object({
  uuid,
  act: z.enum(requestActs),
  target: z
    .object({
      id: z.int(),
      uuid,
      name: z.string(),
      last_four: z
        .string()
        .nullable()
        .describe('The last four characters of the newest token of a key; null for a webhook.'),
    })
    .describe('The key to rotate, or the webhook of the other acts.'),
  requested_by: person,
  member: person.describe('The member who is asked.'),
  reason: z.enum(requestReasons),
  note: z.string().nullable(),
  state: z.enum(rotationRequestStates),
  created_at: timestamp,
  expires_at: timestamp.describe('72 hours after it was made.'),
  mailed_at: timestamp
    .nullable()
    .describe(
      'When the member was told by email. Null if no email was sent, because they had already been sent three about this key or webhook within 24 hours. The email about a report of a leak is then sent within an hour.',
    ),
  closed_at: timestamp
    .nullable()
    .describe('When it was done, declined, withdrawn, ended by a revocation, or expired.'),
  closed_by: z
    .string()
    .nullable()
    .describe('The name of the person who closed it; null if it is open, or if it expired.'),
  closed_because: z
    .enum(requestObstacles)
    .nullable()
    .describe('Why it could not be done before its deadline; null if nothing prevented it.'),
  decline: z
    .object({ reason: z.enum(declineReasons), message: z.string().nullable() })
    .nullable()
    .describe('Why the named member declined; null if they did not.'),
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
        .refine(hasNoSecret, `Leave tokens and secrets out of the ${name}.`),
    )
    .optional();
}

export const requestRotationInput = z.strictObject({
  member: boundedText(64, { error: 'Choose who should rotate the key.' }),
  reason: z.enum(rotationReasons, { error: 'Choose a reason.' }),
  note: shortMessage('note'),
});

export const listRotationRequests = defineRoute({
  name: 'listRotationRequests',
  method: 'GET',
  path: '/api/dashboard/rotation-requests',
  summary: 'List open requests that you made or are named in, newest first',
  description: 'Also lists every open request with the reason `leaked`, regardless of who made it.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(z.array(rotationRequest)) },
});

export const listRotationRequestHistory = defineRoute({
  name: 'listRotationRequestHistory',
  method: 'GET',
  path: '/api/dashboard/rotation-request-history',
  summary: 'List requests with their outcomes, newest first',
  description:
    'Returns the requests that the person made or is named in, and those with the reason `leaked`; for owners and admins, all requests of the account.',
  access: { scope: null, act: 'api-keys.read' },
  query: z.strictObject(pageQuery),
  response: { 200: page(rotationRequest) },
});

export const getRotationRequest = defineRoute({
  name: 'getRotationRequest',
  method: 'GET',
  path: '/api/dashboard/rotation-requests/{rotationRequest}',
  summary: 'Get a request, open or closed',
  description:
    'For the requester, the named member, and owners and admins; with the reason `leaked`, for every member. For anyone else, the request does not exist.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(rotationRequest) },
});

export const listRotators = defineRoute({
  name: 'listRotators',
  method: 'GET',
  path: '/api/dashboard/api-keys/{apiKey}/rotators',
  summary: 'List the other members who may rotate a key and see its token',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(z.array(rotator)) },
});

export const requestRotation = defineRoute({
  name: 'requestRotation',
  method: 'POST',
  path: '/api/dashboard/api-keys/{apiKey}/rotation-requests',
  summary: 'Ask another member to rotate a key',
  description:
    'Does not change the key. A key has one open request at a time; another is refused. The same request again returns the open one. A request with the reason `leaked` is never refused because of an open one: it is made in addition to those of other people, and withdraws an earlier one by the same person. Revoking or rotating the key closes its requests. A request with the reason `leaked` stays open after a rotation while a token still works that existed when it was made, unless the named member rotates the key on this request. The member is told by email, but at most three times about one key within 24 hours; further requests are made without an email. All owners and admins are told of every report of a leak.',
  access: { scope: null, act: 'api-keys.rotate' },
  body: requestRotationInput,
  response: { 201: success(rotationRequest) },
});

export const requestWebhookActInput = z
  .strictObject({
    act: z.enum(requestActs, { error: 'Use regenerate_secret or resume.' }).exclude(['rotate']),
    member: boundedText(64, { error: 'Choose an owner or an admin.' }),
    reason: z
      .enum(rotationReasons, { error: 'Choose a reason.' })
      .optional()
      .describe('Why the secret should be regenerated. Omit for `resume`.'),
    note: shortMessage('note'),
  })
  .refine(({ act, reason }) => (act === 'resume') === (reason === undefined), {
    path: ['reason'],
    error: 'Choose a reason to regenerate the secret, and none to resume.',
  });

export const requestWebhookAct = defineRoute({
  name: 'requestWebhookAct',
  method: 'POST',
  path: '/api/dashboard/webhooks/{webhook}/rotation-requests',
  summary: "Ask an owner or an admin to regenerate a webhook's signing secret or to resume it",
  description:
    'Does not change the webhook: even with the reason `leaked`, its secrets continue to sign until an owner or an admin ends them. A webhook has one open request for each act at a time, to which the rules of requests to rotate a key apply. Regenerating the secret, or resuming the webhook, closes the request as done. Deleting the webhook deletes its requests.',
  access: { scope: null, act: 'requests.make' },
  body: requestWebhookActInput,
  response: { 201: success(rotationRequest) },
});

export const rotateOnRequest = defineRoute({
  name: 'rotateOnRequest',
  method: 'POST',
  path: '/api/dashboard/rotation-requests/{rotationRequest}/rotate',
  summary: 'Rotate the key of a rotation request',
  description: 'For the named member only. For anyone else, the request does not exist.',
  access: { scope: null, act: 'api-keys.rotate' },
  oneTime: true,
  needsProof: true,
  body: rotationInput,
  onRepeat: 'fresh-secret',
  response: { 201: success(rotatedToken) },
});

export const revokeLeakedKey = defineRoute({
  name: 'revokeLeakedKey',
  method: 'POST',
  path: '/api/dashboard/rotation-requests/{rotationRequest}/revoke',
  summary: 'Revoke a key that was reported as leaked, without waiting for its rotation',
  description:
    'While the request is open and its reason is `leaked`. The person who made the request can do this three times within 24 hours; revocations for the reports of others do not count.',
  access: { scope: null, act: 'api-keys.rotate' },
  needsProof: true,
  response: { 204: null },
});

export const withdrawRotationRequest = defineRoute({
  name: 'withdrawRotationRequest',
  method: 'DELETE',
  path: '/api/dashboard/rotation-requests/{rotationRequest}',
  summary: 'Withdraw a request',
  description: 'The named member is told by email if the request was emailed to them.',
  access: { scope: null, act: 'requests.make' },
  response: { 204: null },
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
  summary: 'Decline a request',
  description:
    'For the named member only. For anyone else, the request does not exist. Nothing changes, and the requester is told the reason.',
  access: { scope: null, act: 'requests.make' },
  body: declineInput,
  response: { 204: null },
});
