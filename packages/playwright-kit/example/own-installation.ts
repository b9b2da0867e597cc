import { createInstallation, test as base } from 'conversation-service-playwright-kit';

export const test = base.extend({
  installation: [
    async ({ playwright: _ }, use) => {
      const installation = await createInstallation({ product: process.env['PRODUCT'] ?? '' });
      await use(installation);
      await installation.close();
    },
    { scope: 'worker' },
  ],
});
