import { lazyShownDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import type { ApiKeyDialogProps } from './api-key-dialog.tsx';
import type { ShownApiKeyDialog } from './shown-api-key-dialog.ts';

/** The dialog that is open for a key, loaded after the page. */
export const LazyApiKeyDialog = lazyShownDialog<
  ShownApiKeyDialog,
  Omit<ApiKeyDialogProps, 'shownDialog'>
>(
  async () => (await import('./api-key-dialog.tsx')).ApiKeyDialog,
  ({ kind, apiKey }) => `${kind} ${apiKey.uuid}`,
);
