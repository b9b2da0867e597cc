import type { FormFields } from '#components/shell/form/use-form.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { WebhookDraft } from './webhook-draft.ts';
import { Fold } from './webhook-folds.tsx';

const LazyFilterEditor = lazyComponent(
  async () => (await import('./filter-editor.tsx')).FilterEditor,
);

type FilterFoldProps = {
  form: FormFields<WebhookDraft>;
  /** The stored webhook; null for a new one. */
  webhook: Webhook | null;
};

/** Which events are sent, by what is in them. */
export function FilterFold({ form, webhook }: FilterFoldProps) {
  const typed = form.values.filter.trim();
  return (
    <Fold
      title="Filter"
      state={typed === '' ? 'None: every event is sent' : typed.replaceAll(/\s+/g, ' ')}
      isSet={typed !== ''}
      error={form.errors.filter}
    >
      {(isOpen) => <LazyFilterEditor shouldLoad={isOpen} form={form} webhook={webhook} />}
    </Fold>
  );
}
