import { z } from 'zod';
import { rawText } from '../../fields/bounded-text.ts';
import { shortText, success } from '../../fields/fields.ts';
import { hasNoSecret } from '../../fields/plain-text.ts';
import { defineRoute } from '../../route.ts';
import { incident, incidentWithKeys } from './incident.ts';
import { incidentPreview, previewIncidentInput } from './incident-preview.ts';

export const startIncidentInput = previewIncidentInput.extend({
  reason: shortText('Describe what happened, in 1 to 100 characters.').refine(
    hasNoSecret,
    'Leave tokens and secrets out of the reason.',
  ),
  confirmation: rawText(100, { error: 'Type the words shown.' })
    .optional()
    .describe('For rotating or revoking: the words that `incidentConfirmation` returns.'),
});

export type StartIncidentInput = z.input<typeof startIncidentInput>;

export const previewIncident = defineRoute({
  name: 'previewIncident',
  method: 'POST',
  path: '/api/dashboard/incident-preview',
  summary: 'Preview the effect of rotating, revoking, pausing or resuming many keys',
  description: 'Changes nothing, so it needs no proof.',
  access: { scope: null, act: 'api-keys.revoke' },
  body: previewIncidentInput,
  response: { 200: success(incidentPreview) },
});

export const startIncident = defineRoute({
  name: 'startIncident',
  method: 'POST',
  path: '/api/dashboard/incidents',
  summary: 'Rotate, revoke, pause or resume many keys',
  description:
    'Returns immediately; the service then processes one key after the other. An account has one incident at a time. New tokens are not shown to anyone: each is unconfirmed until someone replaces it with one that they are shown. Counts as one call, and not as creations.',
  access: { scope: null, act: 'api-keys.revoke' },
  needsProof: true,
  body: startIncidentInput,
  response: { 201: success(incidentWithKeys) },
});

export const listIncidents = defineRoute({
  name: 'listIncidents',
  method: 'GET',
  path: '/api/dashboard/incidents',
  summary: 'List the latest 20 incidents, newest first',
  access: { scope: null, act: 'api-keys.revoke' },
  response: { 200: success(z.array(incident)) },
});

export const getIncident = defineRoute({
  name: 'getIncident',
  method: 'GET',
  path: '/api/dashboard/incidents/{incident}',
  summary: 'Get an incident and the result for each of its keys',
  access: { scope: null, act: 'api-keys.revoke' },
  response: { 200: success(incidentWithKeys) },
});

export const cancelIncident = defineRoute({
  name: 'cancelIncident',
  method: 'POST',
  path: '/api/dashboard/incidents/{incident}/cancel',
  summary: 'Cancel an incident; keys that are still waiting do not change',
  description: 'Keys that were changed stay so. An incident that has ended does not change.',
  access: { scope: null, act: 'api-keys.revoke' },
  response: { 200: success(incidentWithKeys) },
});
