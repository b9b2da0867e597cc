import { defineRoute } from '../route.ts';

export const notifyOwnersOfExpiry = defineRoute({
  name: 'notifyOwnersOfExpiry',
  method: 'POST',
  path: '/api/dashboard/api-keys/{apiKey}/expiry-notices',
  summary: 'Email the owners of the account that a key expires within 7 days',
  description:
    'For people who cannot change the expiry of the key. Does not change the key. The email has the name of the person and, for installation support, the reason for opening the account. It is sent once a day for each key.',
  access: { scope: null, act: 'requests.make' },
  response: { 204: null },
});
