import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import type { FormFields } from '#components/shell/form/use-form.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import { dryRunFilter } from '#lib/actions/webhooks.ts';
import type { FilterDryRun } from '#lib/contract/webhooks/filter-dry-runs.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { useDescribedEventTypes } from '../event-types.tsx';
import { formatFilter, parseFilter } from '../filter-text.ts';
import type { WebhookDraft } from './webhook-draft.ts';

/** Rules to begin with, by what they let through. */
const examples = [
  ['Messages from contacts', { '==': [{ var: 'data.message.author' }, 'contact'] }],
  ['A word in the subject', { in: ['refund', { var: 'data.conversation.subject' }] }],
  ['Some event types', { in: [{ var: 'type' }, ['conversation.created', 'conversation.closed']] }],
  ['Nothing from one API key', { '!=': [{ var: 'data.origin.api_key_id' }, 12] }],
] as const;

/** Typing pauses between words. */
const debounceMs = 600;

type FilterEditorProps = { form: FormFields<WebhookDraft>; webhook: Webhook | null };

/** The rule of a filter as text, with examples, and what it would do. */
export function FilterEditor({ form, webhook }: FilterEditorProps) {
  const { values: draft, change, errors } = form;
  const { all_events: isAll, events } = draft;
  const filter = parseFilter(draft.filter);
  const types = useDescribedEventTypes()
    .filter(({ type, isInAll }) => (isAll && isInAll) || events.includes(type))
    .map(({ type }) => type);
  const { value, failedAction } = useLatestResult(
    filter === null || types.length === 0
      ? null
      : {
          key: JSON.stringify([filter, types]),
          call: () =>
            dryRunFilter({
              body: { filter, events: types, ...(webhook && { webhook: webhook.id }) },
            }),
        },
    { debounceMs },
  );
  // The previous result stays while the next one is awaited, and while the rule is refused.
  const [run, setRun] = useState<FilterDryRun | null>(null);
  if (value && value.data !== run) setRun(value.data);
  const failure = failedAction?.failure;
  const problem = failure?.details?.['filter']?.[0];

  /** Adds an example to the rule; text that is not a rule stays, and the example is added below it. */
  function insert(example: object) {
    const isRule = filter !== null && Object.keys(filter).length > 0;
    const kept = filter === null || isRule ? '' : `${draft.filter}\n`;
    change({ filter: `${kept}${formatFilter(isRule ? { and: [filter, example] } : example)}` });
  }

  return (
    <>
      <Field
        label="Rule"
        error={errors.filter ?? problem}
        help={
          <>
            JSON Logic on the body that would be sent. An event is sent if the rule is true. If it
            cannot be evaluated, the event is sent, and its delivery shows why. Tests are always
            sent.
          </>
        }
      >
        <TextArea
          name="filter"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder={formatFilter(examples[0][1])}
          className="code max-h-80"
          value={draft.filter}
          onChange={(event) => change({ filter: event.target.value })}
        />
      </Field>
      <div role="group" aria-label="Insert an example" className="flex flex-wrap gap-2">
        {examples.map(([label, example]) => (
          <Button key={label} size="small" onClick={() => insert(example)}>
            {label}
          </Button>
        ))}
      </div>
      {failure && problem === undefined && (
        <p className="text-small text-warn">
          {failedAction.deadline === null
            ? 'The filter could not be tried on past events. You can save it all the same.'
            : 'Too many dry runs. The next change after a minute is tried again.'}
        </p>
      )}
      {filter !== null && run && <DryRun run={run} />}
    </>
  );
}

/** What the rule would do with the events of the last 24 hours. */
function DryRun({ run }: { run: FilterDryRun }) {
  const { total, sent, not_evaluated: unevaluated, in_force: inForce, examples: found } = run;
  const share = total === 0 ? 0 : (sent / total) * 100;
  return (
    <section aria-label="Dry run" className="grid gap-3 pt-2">
      <div role="status" className="text-pretty">
        <p>
          {total === 0 ? (
            'No event of these types happened in the last 24 h.'
          ) : (
            <>
              Of {countOf(total, 'event')} {run.is_limited ? 'among the newest 2,000' : ''} in the
              last 24 h, <strong className="font-medium">{formatCount(sent)} would be sent</strong>.
            </>
          )}
          {inForce && total > 0 && (
            <>
              {' '}
              The filter in force sends {formatCount(inForce.sent)}:{' '}
              {formatCount(inForce.newly_sent)} would be added, and{' '}
              {formatCount(inForce.no_longer_sent)} no longer sent.
            </>
          )}
        </p>
        {unevaluated > 0 && (
          <p className="text-small text-warn">
            {countOf(unevaluated, 'event')} would be sent because the rule could not be evaluated.
          </p>
        )}
      </div>
      {total > 0 && (
        <>
          <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-track">
            <div
              className="h-full rounded-full bg-data-delivered print-color-exact"
              style={{ width: `${share}%` }}
            />
          </div>
          <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
            <Examples title="Would be sent" isSent events={found.sent} />
            <Examples title="Would not be sent" events={found.not_sent} />
            <Examples title="Newly sent" isSent events={found.newly_sent} />
            <Examples title="No longer sent" events={found.no_longer_sent} />
          </div>
        </>
      )}
    </section>
  );
}

type ExamplesProps = {
  title: string;
  isSent?: boolean;
  events: FilterDryRun['examples']['sent'];
};

function Examples({ title, isSent = false, events }: ExamplesProps) {
  if (events.length === 0) return null;
  const Icon = isSent ? Check : X;
  return (
    <div className="min-w-0">
      <h3 className="flex items-center gap-2 border-b border-line pb-2 text-small font-medium">
        <Icon aria-hidden className="icon-14 text-ink-3" />
        {title}
      </h3>
      <ul>
        {events.map(({ uuid, type, created_at: at, excerpt, clause }) => (
          <li key={uuid} className="grid gap-x-3 border-b border-line py-2 text-small">
            <p className="truncate">{excerpt ?? type}</p>
            <p className="text-micro wrap-anywhere text-ink-3">
              <ExactTime value={at} form="moment" />
              {clause !== null && (
                <>
                  {' · '}
                  <Code isSmall>{clause}</Code>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
