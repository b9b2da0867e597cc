import { Lock } from 'lucide-react';
import { useState } from 'react';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import type { Attempt } from '#lib/contract/deliveries/delivery.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { isSuccessful } from './is-successful.ts';

type ExchangeSide = 'request' | 'response';

type AttemptExchangeProps = { attempt: Attempt; rights: MemberRights };

/** The exact request and response of an attempt. A failed attempt shows its response first. */
export function AttemptExchange({ attempt, rights }: AttemptExchangeProps) {
  const [side, setSide] = useState<ExchangeSide>(isSuccessful(attempt) ? 'request' : 'response');
  const message = attempt[side];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Segmented
          legend="Shown"
          isLegendHidden
          fit
          segments={sides}
          value={side}
          onChange={setSide}
        />
        {message && <span className="text-micro text-ink-3">{sizeOf(message)}</span>}
      </div>
      {message ? (
        <CodeBlock
          title={side === 'request' ? 'POST · headers and body as signed' : statusLine(attempt)}
          code={textOf(message, indentJson)}
          copied={textOf(message, (body) => body)}
          copyLabel={side === 'request' ? 'Copy request' : 'Copy response'}
        />
      ) : (
        <p className="text-ink-2">{attempt.error?.message ?? 'There was no response.'}</p>
      )}
      {message?.body === null && !memberMay(rights, hiddenWithout[side].act) && (
        <Note icon={<Lock />}>{hiddenWithout[side].note}</Note>
      )}
    </>
  );
}

const sides = [
  { value: 'request', label: 'Request' },
  { value: 'response', label: 'Response' },
] as const;

/** What a member must be allowed to read, and what they are told if they are not. */
const hiddenWithout = {
  request: {
    act: 'payloads.read',
    note: 'The body is hidden: your role cannot read customer messages.',
  },
  response: {
    act: 'error-texts.read',
    note: 'The receiver’s response is hidden, because it can contain customer data. Ask an owner for access.',
  },
} as const;

type HttpMessage = Attempt['request'] & { truncated?: boolean };

function sizeOf({ body_bytes: bytes, truncated }: HttpMessage): string {
  return truncated === true ? `The first ${formatBytes(bytes)} are kept` : formatBytes(bytes);
}

function statusLine({ status_code: code, response }: Attempt): string {
  if (code === null) return 'Response';
  return response?.body === null ? `Response ${code}` : `Response ${code} · headers and body`;
}

function textOf({ headers, body }: HttpMessage, write: (body: string) => string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return body === null || body === '' ? lines.join('\n') : [...lines, '', write(body)].join('\n');
}

/** JSON with indentation; anything else unchanged. */
function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
