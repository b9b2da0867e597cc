import { expect } from '@playwright/test';
import { fullTest, isRemote, test } from '../fixtures.ts';
import { bearer, openRotation, rowOf } from '../pages/api-keys.ts';
import { asDashboard } from '../pages/people/identity.ts';
import { secretDialog } from '../pages/secret-dialog.ts';

fullTest(
  'of two tabs that rotate one key, the second is told who did it and when',
  async ({ givenApiKey, request, service, session, signedIn: page }) => {
    test.skip(isRemote, 'rotates with the credential of a server of its own');
    const key = await givenApiKey();
    const staleQuestion = await openRotation(page, key.name);
    // The request that the dashboard sends for the other tab.
    const rotated = await request.post(`/api/v1/api-keys/${key.uuid}/rotate`, {
      headers: asDashboard(service, session),
      data: { grace_period_seconds: 3600, expected_last_four: key.token.slice(-4) },
    });
    const { data } = (await rotated.json()) as { data: { token: string } };

    await staleQuestion.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
    const refusal = staleQuestion.getByRole('alert');
    await expect(refusal).toContainText(`${key.name} was not rotated`);
    await expect(refusal).toContainText(/already rotated on .+ by ada\./);
    await expect(secretDialog(page).root).toBeHidden();

    const byNew = await request.get('/api/v1/api-key', { headers: bearer(data.token) });
    expect(byNew.headers()['api-key-expires']).toBeUndefined();
    await staleQuestion.getByRole('button', { name: 'Cancel' }).click();
    await expect(rowOf(page, key.name)).toContainText(data.token.slice(-4));
  },
);
