// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { FocusTitle } from '#components/shell/page/focus-title.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';

import { webhooksPath } from '../webhook-path.ts';

/** Replaces the page of a webhook that was deleted while the page was open. */
export function DeletedWebhook() {
  return (
    <>
      <Banner
        title="This webhook was deleted"
        action={<ButtonLink href={webhooksPath}>Go to webhooks</ButtonLink>}
      >
        Nothing is sent to it anymore.
      </Banner>
      <FocusTitle />
    </>
  );
}
