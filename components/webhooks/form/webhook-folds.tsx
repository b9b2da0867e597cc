import { ChevronRight, Lock, Plus, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { FormFields } from '#components/shell/form/use-form.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Field, FieldNote } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { formatCount } from '#lib/count.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import type { HeaderDraft, WebhookDraft } from './webhook-draft.ts';

type FoldProps = {
  title: string;
  /** What is in force, in a few words. */
  state: string;
  /** Whether it is open at first, since something is set. */
  isSet: boolean;
  error: string | undefined;
  children: ReactNode | ((isOpen: boolean) => ReactNode);
};

/** A setting that few webhooks need: a line with what is in force, which opens in place. */
function Fold({ title, state, isSet, error, children }: FoldProps) {
  const [wasOpened, setIsOpen] = useState(isSet);
  const isOpen = wasOpened || error !== undefined;
  return (
    <details
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group/fold border-b border-line"
    >
      <summary className="grid min-h-12 cursor-default list-none grid-cols-[10.5rem_minmax(0,1fr)_auto] items-center gap-x-0 py-2 max-sm:grid-cols-[minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
        <span className="font-medium">{title}</span>
        <span className="truncate text-ink-3 max-sm:col-start-1 max-sm:row-start-2">{state}</span>
        <ChevronRight
          aria-hidden
          className="icon-16 text-ink-3 transition-transform group-open/fold:rotate-90 max-sm:row-span-2"
        />
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-1 pb-5">
        {typeof children === 'function' ? children(isOpen) : children}
      </div>
    </details>
  );
}

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

type HeadersFoldProps = {
  form: FormFields<WebhookDraft>;
  /** Whether stored header values must be entered again. */
  hasNewOrigin: boolean;
};

/** The headers that each delivery carries besides those of the service. */
export function HeadersFold({ form, hasNewOrigin }: HeadersFoldProps) {
  const { values: draft, change, errors } = form;
  const noteId = useId();
  const { headers } = draft;
  const [nextKey, setNextKey] = useState(headers.length);
  const edit = (key: number, part: Partial<HeaderDraft>) =>
    change({ headers: headers.map((each) => (each.key === key ? { ...each, ...part } : each)) });
  const add = () => {
    change({ headers: [...headers, { key: nextKey, name: '', value: '' }] });
    setNextKey(nextKey + 1);
  };
  return (
    <Fold
      title="Headers"
      state={headers.length === 0 ? 'None added' : `${headers.length} added`}
      isSet={headers.length > 0}
      error={errors.headers}
    >
      {headers.length > 0 && (
        <ul className="grid gap-2">
          {headers.map((header, index) => (
            <HeaderRow
              key={header.key}
              header={hasNewOrigin && header.value === null ? { ...header, value: '' } : header}
              label={header.name.trim() || `header ${index + 1}`}
              noteId={noteId}
              isInvalid={errors.headers !== undefined}
              onChange={(part) => edit(header.key, part)}
              onRemove={() => change({ headers: headers.filter(({ key }) => key !== header.key) })}
            />
          ))}
        </ul>
      )}
      <FieldNote
        id={noteId}
        className="mt-0"
        error={errors.headers}
        help={
          <>
            {hasNewOrigin && headers.length > 0
              ? 'The URL has another scheme, host or port. Enter each value again, or remove the header. '
              : ''}
            A value is sealed when you save. After that nobody can read it, only replace it. The
            service’s own headers, such as <Code isSmall>webhook-id</Code>, cannot be set.
          </>
        }
      />
      <div>
        <Button size="small" icon={<Plus />} onClick={add}>
          Add header
        </Button>
      </div>
    </Fold>
  );
}

type HeaderRowProps = {
  header: HeaderDraft;
  label: string;
  noteId: string;
  isInvalid: boolean;
  onChange: (part: Partial<HeaderDraft>) => void;
  onRemove: () => void;
};

function HeaderRow({ header, label, noteId, isInvalid, onChange, onRemove }: HeaderRowProps) {
  const described = { 'aria-describedby': noteId, 'aria-invalid': isInvalid || undefined };
  return (
    <li className="grid grid-cols-[minmax(0,14.75rem)_minmax(0,1fr)_auto] items-center gap-2 max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <Input
        mono
        autoComplete="off"
        spellCheck={false}
        aria-label={`Name of ${label}`}
        value={header.name}
        {...described}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {header.value === null ? (
        <span className="flex h-control min-w-0 items-center gap-2 rounded-3 bg-sunken pr-1 pl-2.5 text-ink-3 max-sm:col-start-1 max-sm:row-start-2">
          <Lock aria-hidden className="icon-14" />
          <span aria-hidden>••••••••••••</span>
          <span className="sr-only">The value is sealed.</span>
          <Button
            size="small"
            variant="ghost"
            className="ml-auto"
            aria-label={`Replace the value of ${label}`}
            onClick={() => onChange({ value: '' })}
          >
            Replace
          </Button>
        </span>
      ) : (
        <Input
          mono
          autoComplete="off"
          spellCheck={false}
          aria-label={`Value of ${label}`}
          value={header.value}
          className="max-sm:col-start-1 max-sm:row-start-2"
          {...described}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      )}
      <IconButton
        icon={<X />}
        label={`Remove ${label}`}
        className="max-sm:col-start-2 max-sm:row-start-1"
        onClick={onRemove}
      />
    </li>
  );
}

type RateFoldProps = {
  form: FormFields<WebhookDraft>;
  accountId: string;
  /** The stored webhook; null for a new one. */
  webhook: Webhook | null;
};

/** How many deliveries may begin within a second. */
export function RateFold({ form, accountId, webhook }: RateFoldProps) {
  const { values: draft, change, errors } = form;
  const { max_deliveries_per_second: typed } = draft;
  const id = useId();
  const error = errors.max_deliveries_per_second;
  return (
    <Fold
      title="Delivery rate"
      state={typed === '' ? 'As fast as your server responds' : `At most ${typed} a second`}
      isSet={typed !== ''}
      error={error}
    >
      {(isOpen) => (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <label htmlFor={id}>At most</label>
            <Input
              id={id}
              inputMode="numeric"
              autoComplete="off"
              aria-describedby={`${id}-unit ${id}-note`}
              aria-invalid={error === undefined ? undefined : true}
              className="w-20 text-right"
              value={typed}
              onChange={(event) => change({ max_deliveries_per_second: event.target.value })}
            />
            <span id={`${id}-unit`}>deliveries per second</span>
          </div>
          <FieldNote
            id={`${id}-note`}
            className="mt-0"
            error={error}
            help={
              <>
                From 1 to 100. The rest wait in order. Leave it empty for no limit.
                {isOpen && webhook && <BusiestSecond accountId={accountId} webhook={webhook} />}
              </>
            }
          />
        </>
      )}
    </Fold>
  );
}

/** Nothing if there was no delivery. */
function BusiestSecond({ accountId, webhook }: { accountId: string; webhook: Webhook }) {
  const { data } = useQuery(
    routeQuery(accountId, 'getWebhookStatistics', {
      params: { webhook: webhook.uuid },
      query: { include: 'busiest_second' },
    }),
  );
  const busiest = data?.busiest_second ?? null;
  return busiest && ` The busiest second of the last 24 h had ${formatCount(busiest)}.`;
}

type ContactFoldProps = {
  form: FormFields<WebhookDraft>;
  /** The contact that is stored. */
  contact: Webhook['contact'];
};

/** Who is told of failures besides owners and admins. */
export function ContactFold({ form, contact }: ContactFoldProps) {
  const { values: draft, change, errors } = form;
  const { contact_email: typed } = draft;
  const isUnconfirmed = contact !== null && !contact.is_confirmed && typed === contact.email;
  return (
    <Fold
      title="Contact for failures"
      state={typed === '' ? 'Owners and admins' : typed}
      isSet={typed !== ''}
      error={errors.contact_email}
    >
      <Field
        label={<span className="sr-only">Contact for failures</span>}
        error={errors.contact_email}
        help={
          isUnconfirmed
            ? 'This address was not confirmed yet, and is told nothing until then. To send another link, remove the address, save, and enter it again.'
            : 'Is emailed besides owners and admins when the webhook begins to fail, before and when it is deactivated, and when it works again. They confirm the address first.'
        }
      >
        <Input
          name="contact_email"
          type="email"
          autoComplete="off"
          className="sm:max-w-80"
          value={typed}
          onChange={(event) => change({ contact_email: event.target.value })}
        />
      </Field>
    </Fold>
  );
}
