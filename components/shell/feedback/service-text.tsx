import { Fragment, type ReactNode } from 'react';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { readAsDates } from './read-as-dates.ts';

const timestamp = /(\d{4}-\d{2}-\d{2}T[\d:.]+[+-]\d{2}:\d{2})/;
/** UUIDs, event types, and fields of payloads. */
const codePattern =
  /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?:data\.)?(?:message|conversation|api_key|webhook)(?:\.[a-z_]+)+\b)/;

type ServiceTextProps = {
  text: string;
  /** `moment`: times to the second, in a list of sentences that all have one. */
  form?: 'full' | 'moment';
};

/** A message of the service, with its timestamps shown in the reader's time zone. */
export function ServiceText({ text, form = 'full' }: ServiceTextProps): ReactNode {
  return readAsDates(text)
    .split(timestamp)
    .map((part, index) =>
      index % 2 === 1 ? (
        <strong key={index} className={form === 'full' ? 'font-medium text-ink' : 'font-normal'}>
          <ExactTime value={part} form={form} />
        </strong>
      ) : (
        <Fragment key={index}>{withCode(part)}</Fragment>
      ),
    );
}

function withCode(text: string): ReactNode {
  return text.split(codePattern).map((part, index) =>
    index % 2 === 1 ? (
      <span translate="no" key={index} className="code break-all">
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}

/** All timestamps in a message, as the API writes them: in UTC, so they sort as text. */
export function timesInText(text: string): string[] {
  return text.match(new RegExp(timestamp, 'g')) ?? [];
}
