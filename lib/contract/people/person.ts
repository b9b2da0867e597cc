import { z } from 'zod';
import { name, success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

const renamePersonInput = z.strictObject({ name });

export const renamePerson = defineRoute({
  name: 'renamePerson',
  method: 'PATCH',
  path: '/api/dashboard/person',
  summary: 'Change your own name',
  description: 'Colleagues in every account see it. What was recorded earlier keeps the old name.',
  access: 'person',
  body: renamePersonInput,
  response: { 200: success(z.object({ name: z.string() })) },
});
