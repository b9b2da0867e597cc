import { Webhook } from 'lucide-react';

import {
  foundWebhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import { Status } from '#components/ui/data-display/status.tsx';
import { Cell, Row } from '#components/ui/data-display/table.tsx';
import type { DeskResults } from '#lib/contract/support-desk/support-desk.ts';
import { accountPath } from '#lib/paths/account-path.ts';

import { FoundUrl } from './found-url.tsx';
import { ActionCell, LastUseCell, OpenLink, ResultHead } from './result-cells.tsx';
import { UnopenedRow } from './unopened-row.tsx';

type FoundWebhookRowProps = { webhook: DeskResults['webhooks']['items'][number]; search: string };

/** A webhook with its URL, its state and its last delivery. */
export function FoundWebhookRow({ webhook, search }: FoundWebhookRowProps) {
  const { account, name, url, details } = webhook;
  const path = accountPath(account.id, `settings/webhooks/${webhook.id}`);
  if (details === null) {
    return (
      <UnopenedRow {...{ account, name, path, search }} icon={<Webhook />}>
        <span translate="no" className="code-micro">
          <FoundUrl url={url} search={search} />
        </span>
      </UnopenedRow>
    );
  }
  const state = foundWebhookState(details);
  return (
    <Row>
      <ResultHead
        {...{ account, name, path, search }}
        icon={<Webhook />}
        second={<FoundUrl url={url} search={search} />}
        isSecondMono
      />
      <Cell onPhone="top-end">
        <Status mark={webhookStateMarks[state]}>{webhookStateLabels[state]}</Status>
      </Cell>
      <LastUseCell value={details.last_triggered_at} act="triggered" />
      <Cell hideBelow="740px" />
      <ActionCell onPhone={false}>
        <OpenLink href={path} of={name} />
      </ActionCell>
    </Row>
  );
}
