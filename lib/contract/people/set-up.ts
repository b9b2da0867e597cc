import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { name, success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { email, newPassword } from './credentials.ts';
import { newSession } from './new-session.ts';

const setUpToken = boundedText(200);

const checkSetUpTokenInput = z.strictObject({ set_up_token: setUpToken });

export const setUpInput = z.strictObject({
  set_up_token: setUpToken,
  account_name: name,
  name,
  email,
  password: newPassword,
});

export const getSetUp = defineRoute({
  name: 'getSetUp',
  method: 'GET',
  path: '/api/dashboard/set-up',
  summary: 'Get whether the service still waits for its first person',
  access: 'dashboard',
  response: { 200: success(z.object({ open: z.boolean() })) },
});

export const checkSetUpToken = defineRoute({
  name: 'checkSetUpToken',
  method: 'POST',
  path: '/api/dashboard/set-up/check',
  summary: 'Get whether a set-up link is still valid, and until when',
  access: 'dashboard',
  body: checkSetUpTokenInput,
  response: { 200: success(z.object({ valid_until: timestamp })) },
});

export const setUp = defineRoute({
  name: 'setUp',
  method: 'POST',
  path: '/api/dashboard/set-up',
  summary: 'Create the first account and its owner',
  access: 'dashboard',
  oneTime: true,
  body: setUpInput,
  response: { 201: newSession },
});
