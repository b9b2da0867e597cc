import { expect } from '@playwright/test';
import { fullTest } from '../fixtures.ts';
import { rowOf } from '../pages/api-keys.ts';
import { openDeletion } from '../pages/webhooks.ts';

fullTest(
  'a webhook that somebody else deletes while the question is open leaves the list like any other',
  async ({ api, givenWebhook, signedIn: page }) => {
    const { name, uuid } = await givenWebhook();
    const question = await openDeletion(page, name);
    expect((await api.delete(`/api/v1/webhooks/${uuid}`)).status()).toBe(204);
    await question.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
    await expect(rowOf(page, name)).toBeHidden();
    await expect(question).toBeHidden();
  },
);
