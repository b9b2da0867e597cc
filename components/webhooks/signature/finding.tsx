import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import type { SignatureCheck } from '#lib/contract/deliveries/signature-checks.ts';
import {
  signatureVerdicts,
  type SignatureVerdict,
} from '#lib/contract/deliveries/signature-verdicts.ts';
import { rawBodySnippets } from '#lib/contract/webhooks/signature-snippets.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf } from '#lib/count.ts';
import { keysOf } from '#lib/object-keys.ts';
import { listNames } from '#lib/list-names.ts';
import { formatDuration } from '#lib/time.ts';
import { VerifySignature } from '../secret/verify-signature.tsx';

type FindingProps = {
  check: SignatureCheck;
  webhook: Webhook;
  /** Whether a computed signature was given. */
  hasSignature: boolean;
};

/** What is wrong with a signature, what was checked, and code that is right. */
export function Finding({ check, webhook, hasSignature }: FindingProps) {
  const { verdict, also, body, delivery } = check;
  const isGood = verdict === 'matches' || verdict === 'as_sent';
  const isBody = [verdict, ...also].some((one) => one.startsWith('body_'));
  return (
    <>
      <Banner
        tone={isGood || verdict === 'not_sent' ? 'plain' : 'bad'}
        {...(isGood && { icon: <CircleCheck className="text-ok-mark!" /> })}
        title={titleOf(check)}
      >
        <VerdictText verdict={verdict} check={check} />
        {also.length > 0 && (
          <ul className="mt-2 grid gap-2">
            {also.map((one) => (
              <li key={one}>
                <strong className="font-medium text-ink">{signatureVerdicts[one].title}.</strong>{' '}
                <VerdictText verdict={one} check={check} />
              </li>
            ))}
          </ul>
        )}
      </Banner>
      {body?.difference && <Difference body={body} difference={body.difference} />}
      {delivery && <Checks check={check} webhook={webhook} hasSignature={hasSignature} />}
      {isBody ? <RawBody /> : !isGood && delivery && <VerifySignature url={webhook.url} />}
    </>
  );
}

function titleOf({ verdict, body }: SignatureCheck): string {
  const { title } = signatureVerdicts[verdict];
  const difference = verdict.startsWith('body_') ? body?.difference : null;
  return difference ? `${title}: first difference at byte ${difference.at}` : title;
}

function VerdictText({ verdict, check }: { verdict: SignatureVerdict; check: SignatureCheck }) {
  const { headers, signed, secret, body, clock_offset_seconds: offset } = check;
  const { change = null, moved = null } = body?.difference ?? {};
  // What the API calls by its field is named here.
  const meaning = signatureVerdicts[verdict].meaning
    .replace(' See `headers`.', '')
    .replace('See `secret` for the webhook. ', '')
    .replace(' `signed` is what your code signed.', '');
  return (
    <>
      {verdict.startsWith('header_') && (
        <>
          <InCode
            text={listNames(
              headers.map((name) => `\`${name}\``),
              { most: 3 },
            )}
          />
          :{' '}
        </>
      )}
      {verdict === 'other_webhook' && secret && <>It belongs to {secret.webhook.name}. </>}
      <InCode text={meaning} />
      {(verdict === 'joined_wrongly' || verdict === 'body_reserialized') && signed !== null && (
        <>
          {' '}
          Your code signed <span translate="no">{signed}</span>.
        </>
      )}
      {verdict === 'body_reserialized' && moved && (
        <>
          {' '}
          <InCode text={`\`${moved.field}\` moved behind \`${moved.behind}\`.`} />
        </>
      )}
      {verdict === 'body_reserialized' && change !== null && change !== 'order' && (
        <> {changes[change]}</>
      )}
      {verdict === 'clock' && offset !== null && (
        <>
          {' '}
          It is {formatDuration(Math.abs(offset))} {offset > 0 ? 'ahead' : 'behind'}.
        </>
      )}
    </>
  );
}

const changes = {
  white_space: 'White space was added or removed.',
  escapes: 'Characters were escaped in another way.',
  numbers: 'A number was written in another way.',
};

/** Text in which backticks enclose code. */
function InCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} translate="no">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

type ComparedBody = NonNullable<SignatureCheck['body']>;

type DifferenceProps = { body: ComparedBody; difference: NonNullable<ComparedBody['difference']> };

/** The first bytes that differ, one line above the other. */
function Difference({ body, difference: { at, from, sent, pasted } }: DifferenceProps) {
  const shared = commonStart(sent, pasted);
  const isSameSize = body.sent_bytes === body.pasted_bytes;
  const to = from + new TextEncoder().encode(sent).length;
  return (
    <div className="rounded-3 border border-line bg-sunken">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-b border-line px-3.5 py-1.5 text-micro text-ink-3">
        <span>
          Bytes {from} to {to}, counted from 0
        </span>
        <span>
          {isSameSize
            ? `${countOf(body.sent_bytes, 'byte', 'bytes')} each`
            : `${body.sent_bytes} bytes sent, ${body.pasted_bytes} pasted`}
        </span>
      </div>
      <pre
        // Focusable, so that arrow keys can scroll it.
        tabIndex={0}
        role="region"
        aria-label="First difference"
        className="overflow-x-auto px-3.5 py-3 text-code text-ink focus-visible:-outline-offset-2"
      >
        <span className="text-ink-3">{'Sent   '}</span>
        <code translate="no">
          {visible(shared)}
          <mark className="rounded-1 bg-accent-soft text-accent-ink">
            {visible(sent.slice(shared.length))}
          </mark>
        </code>
        {'\n'}
        <span className="text-ink-3">{'Pasted '}</span>
        <code translate="no">
          {visible(shared)}
          <mark className="rounded-1 bg-bad-soft text-bad">
            {visible(pasted.slice(shared.length))}
          </mark>
        </code>
        {'\n'}
        <span className="text-bad">{`${' '.repeat(7 + visible(shared).length)}↑ ${at}`}</span>
      </pre>
    </div>
  );
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/** A line break and a tab as they are written in code. */
function visible(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

const toleranceMs = 5 * 60_000;

/** What was checked, in order. */
function Checks({ check, webhook, hasSignature }: FindingProps) {
  const now = useEstimatedNow();
  const { verdict, also, delivery, secret, body } = check;
  const verdicts = [verdict, ...also];
  const signedAt = delivery?.signed_at ?? null;
  const isRecent = signedAt !== null && now.getTime() - Date.parse(signedAt) <= toleranceMs;
  const isSecretWrong = verdicts.some((one) => /secret|other_webhook/.test(one));
  const fault = verdicts.find((one) => !/^(?:matches|clock|header_\w+)$/.test(one));
  return (
    <ul className="grid gap-4">
      <Check
        result="right"
        title={
          <>
            <code translate="no">webhook-id</code> is known
          </>
        }
      >
        {signedAt === null ? (
          'No attempt is recorded yet.'
        ) : (
          <>
            Sent to {webhook.name} <ExactTime value={signedAt} />, attempt {delivery?.attempt}.
          </>
        )}
      </Check>
      {signedAt !== null && (
        <Check
          result={verdicts.includes('clock') ? 'wrong' : isRecent ? 'right' : 'open'}
          title={isRecent ? 'Timestamp is within 5 minutes' : 'Timestamp is older than 5 minutes'}
        >
          {isRecent
            ? 'Code that checks the time accepts it.'
            : 'Code that checks the time rejects this delivery by now, even if everything else is right. Try a new delivery.'}
        </Check>
      )}
      {body && (
        <Check
          result={body.difference ? 'wrong' : 'right'}
          title={body.difference ? 'The body is not the one that was sent' : 'The body is right'}
        >
          {countOf(body.sent_bytes, 'byte was', 'bytes were')} sent.
        </Check>
      )}
      {hasSignature && signedAt !== null && (
        <>
          <Check
            result={isSecretWrong ? 'wrong' : secret ? 'right' : 'open'}
            title={
              isSecretWrong
                ? 'The secret is wrong'
                : secret
                  ? 'The secret is right'
                  : 'The secret was not checked'
            }
          >
            {secret ? (
              <>
                It ends in <Code isSmall>{secret.last_four}</Code>. Made{' '}
                <ExactTime value={secret.created_at} />.
                {secret.valid_until !== null && (
                  <>
                    {' '}
                    {Date.parse(secret.valid_until) > now.getTime()
                      ? 'Signs until'
                      : 'Signed until'}{' '}
                    <ExactTime value={secret.valid_until} />.
                  </>
                )}
              </>
            ) : (
              'It can be checked once your code signs the body as it was sent.'
            )}
          </Check>
          <Check
            result={fault === undefined ? 'right' : 'wrong'}
            title={fault === undefined ? 'The signature matches' : 'The signature does not match'}
          >
            {fault === undefined
              ? 'It is the one that was sent.'
              : 'It is not the signature of the body as it was sent.'}
          </Check>
        </>
      )}
    </ul>
  );
}

type CheckProps = { result: 'right' | 'wrong' | 'open'; title: ReactNode; children: ReactNode };

function Check({ result, title, children }: CheckProps) {
  const { icon, label } = results[result];
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5">
      <span className="mt-0.5">
        {icon}
        <span className="sr-only">{label}</span>
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p className={result === 'wrong' ? 'font-medium text-bad' : 'font-medium text-ink'}>
          {title}
        </p>
        <p className="text-small text-pretty text-ink-2">{children}</p>
      </div>
    </li>
  );
}

const results = {
  right: { icon: <CircleCheck aria-hidden className="text-ok-mark" />, label: 'Right: ' },
  wrong: { icon: <CircleX aria-hidden className="text-bad" />, label: 'Wrong: ' },
  open: { icon: <CircleMinus aria-hidden className="text-ink-3" />, label: 'Open: ' },
};

/** How the body reaches the code unchanged. */
function RawBody() {
  const [framework, setFramework] = useState<keyof typeof rawBodySnippets>('Express');
  return (
    <CodeBlock
      title={`Fix for ${framework}`}
      code={rawBodySnippets[framework]}
      copyLabel="Copy code"
      head={
        <Segmented
          legend="Framework"
          isLegendHidden
          fit
          segments={keysOf(rawBodySnippets).map((name) => ({ value: name, label: name }))}
          value={framework}
          onChange={setFramework}
          className="-ml-2.5 py-1 [&>div]:bg-transparent"
        />
      }
    />
  );
}
