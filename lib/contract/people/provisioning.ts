import { z } from 'zod';
import { name, success } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';
import { roles } from '../rights/roles.ts';
import { defineRoute } from '../route.ts';
import { email, newPassword } from './credentials.ts';

/** The most people with whom an account can be created. */
const maxProvisionedPeople = 20;

/** Nobody reads emails to the reserved domain `test` (RFC 6761), and the service sends none. */
const testEmail = email.refine((address) => /[@.]test$/.test(address), {
  error: 'Use an address of the reserved domain test, such as ann@suite.test.',
});

const person = z.strictObject(
  { name, email: testEmail, role: z.enum(roles, { error: 'Choose a role.' }) },
  { error: 'Give each person as an object.' },
);

export const provisionAccountInput = z.strictObject({
  name,
  /** The password of all these people. */
  password: newPassword,
  people: z
    .array(person, { error: 'Give the people of the account as an array.' })
    .max(maxProvisionedPeople, `Use at most ${maxProvisionedPeople} people.`)
    .refine((people) => people.some(({ role }) => role === 'owner'), {
      error: 'Give at least one owner.',
    })
    .refine((people) => new Set(people.map((each) => each.email)).size === people.length, {
      error: 'Use another email address for each person.',
    }),
});

export const provisionAccount = defineRoute({
  name: 'provisionAccount',
  method: 'POST',
  path: '/api/provisioning/accounts',
  summary: 'Create an account for tests, with people and a full API key',
  access: 'provisioner',
  oneTime: true,
  body: provisionAccountInput,
  response: {
    201: success(
      z.object({
        id: z.string(),
        name: z.string(),
        people: z.array(
          z.object({
            id: z.string(),
            email: z.string(),
            role: z.enum(roles),
            /** The value of their session cookie, as after a sign-in. */
            session_token: secret(z.string()),
          }),
        ),
        token: secret(z.string()),
      }),
    ),
  },
});

export const deleteProvisionedAccount = defineRoute({
  name: 'deleteProvisionedAccount',
  method: 'DELETE',
  path: '/api/provisioning/accounts/{account}',
  summary: 'Delete an account that this provisioner created, and its people',
  access: 'provisioner',
  response: { 204: null },
});
