import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

/** The dialog with the secret of a webhook that is set up, loaded after the page. */
export const LazySetUpSecretDialog = lazyComponent(
  async () => (await import('./set-up-secret-dialog.tsx')).SetUpSecretDialog,
);
