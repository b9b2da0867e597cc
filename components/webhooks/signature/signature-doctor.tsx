'use client';

import { useRef, useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import { checkSignature } from '#lib/actions/webhooks.ts';
import type { SignatureCheck } from '#lib/contract/deliveries/signature-checks.ts';
import {
  containsSigningSecret,
  longestPasted,
  noSecretAdvice,
} from '#lib/contract/deliveries/signature-verdicts.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';
import { VerifySignature } from '../secret/verify-signature.tsx';
import { webhookPath } from '../webhook-path.ts';
import { Finding } from './finding.tsx';
import { readHeaders } from './read-headers.ts';
import { RecordDelivery } from './record-delivery.tsx';

type SignatureDoctorProps = {
  webhook: Webhook;
  accountId: string;
  /** Whether the person may read what customers wrote. Otherwise no body is compared. */
  mayReadPayload: boolean;
};

const nothing = { headers: '', body: '', signature: '' };

type Pasted = typeof nothing;

/**
 * Finds out why a receiver's signature does not match. What is pasted lives in this component only;
 * a signing secret in it is refused before anything is sent.
 */
export function SignatureDoctor({ webhook, accountId, mayReadPayload }: SignatureDoctorProps) {
  const [pasted, setPasted] = useState(nothing);
  const [check, setCheck] = useState<SignatureCheck | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  const { run, clearFailure, ...action } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const problems = findProblems(pasted, isChecked);

  function paste(part: Partial<Pasted>) {
    setPasted({ ...pasted, ...part });
    setIsChecked(false);
    setCheck(null);
    clearFailure();
  }

  function submit() {
    setIsChecked(true);
    const [wrong] = Object.keys(findProblems(pasted, true));
    if (wrong !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
      return;
    }
    const { headers, body, signature } = pasted;
    const input = {
      params: { webhook: webhook.uuid },
      body: {
        headers: readHeaders(headers),
        ...(mayReadPayload && body !== '' && { body }),
        ...(signature.trim() !== '' && { signature: signature.trim() }),
      },
    };
    run(() => checkSignature(input), { onDone: ({ data }) => setCheck(data) });
  }

  return (
    <>
      <PageHeading
        crumb={{ href: webhookPath(webhook, 'settings'), label: webhook.name }}
        title="Signature doctor"
        sentence={`Paste what your server received and computed. It is compared with a delivery of ${webhook.name} and is not stored.`}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 min-[64rem]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <Form
          form={form}
          errorCount={isChecked ? Object.keys(problems).length : 0}
          className="grid grid-cols-[minmax(0,1fr)] content-start gap-5"
          onSubmit={submit}
        >
          <RecordDelivery
            webhook={webhook}
            accountId={accountId}
            onRecorded={(headers) => paste({ headers })}
          />
          <Field label="Headers" error={problems.headers}>
            <TextArea
              name="headers"
              rows={5}
              spellCheck={false}
              translate="no"
              placeholder={'webhook-id: msg_…\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
              className={`${codeClass} min-h-28`}
              value={pasted.headers}
              onChange={(event) => paste({ headers: event.target.value })}
            />
          </Field>
          {mayReadPayload ? (
            <Field
              label="Body"
              hint={`as your code saw it${pasted.body === '' ? '' : `, ${countOf(new TextEncoder().encode(pasted.body).length, 'byte', 'bytes')}`}`}
              error={problems.body}
            >
              <TextArea
                name="body"
                rows={8}
                spellCheck={false}
                translate="no"
                className={`${codeClass} min-h-40`}
                value={pasted.body}
                onChange={(event) => paste({ body: event.target.value })}
              />
            </Field>
          ) : (
            <Note>
              You can’t read payloads here, so no body is compared. The signature that your code
              computed is enough to recognize most mistakes.
            </Note>
          )}
          <Field
            label="Signature that your code computed"
            optional
            help="Print it where your code compares it. Never paste the signing secret."
            error={problems.signature}
          >
            <Input
              name="signature"
              autoComplete="off"
              spellCheck={false}
              translate="no"
              className="font-mono"
              value={pasted.signature}
              onChange={(event) => paste({ signature: event.target.value })}
            />
          </Field>
          <LazyFailedActionPanel
            className=""
            failed={
              action.failedAction && {
                failedAction: action.failedAction,
                notDone: 'The signature was not checked',
                unknown: 'The signature was not checked',
              }
            }
          />
          <div className="flex flex-wrap gap-2">
            <ActionButton action={action} variant="primary" type="submit">
              Check signature
            </ActionButton>
            <Button variant="ghost" onClick={() => paste(nothing)}>
              Clear
            </Button>
          </div>
        </Form>
        <section
          aria-label="Finding"
          className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5"
        >
          {check ? (
            <Finding
              check={check}
              webhook={webhook}
              hasSignature={pasted.signature.trim() !== ''}
            />
          ) : (
            <VerifySignature url={webhook.url} />
          )}
        </section>
      </div>
    </>
  );
}

const codeClass = 'max-h-96 font-mono text-code wrap-anywhere';

/** @param isChecked whether the button was pressed: a missing header is not a problem before */
function findProblems(pasted: Pasted, isChecked: boolean): Partial<Pasted> {
  const problems: Partial<Pasted> = {};
  if (isChecked && Object.keys(readHeaders(pasted.headers)).length === 0) {
    problems.headers =
      'Paste the headers of one request, with their names. They begin with “webhook-”.';
  }
  for (const field of ['body', 'signature'] as const) {
    if ([...pasted[field]].length > longestPasted[field]) {
      problems[field] = `Use at most ${longestPasted[field]} characters.`;
    }
  }
  for (const field of ['headers', 'body', 'signature'] as const) {
    if (containsSigningSecret(pasted[field])) problems[field] = noSecretAdvice;
  }
  return problems;
}
