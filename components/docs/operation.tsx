import type { ReactNode } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { Tag } from '#components/ui/data-display/tag.tsx';
import type { Field, OperationPage } from '#lib/docs/operation-page.ts';
import { CopyPath, ResponseSample, SampleTabs } from './code-sample.tsx';
import { InlineMarkdown } from './markdown.tsx';

type OperationProps = {
  page: OperationPage;
  /** What someone who is signed in can do with the operation here. */
  tryIt: ReactNode;
};

/** An operation of the API: what it takes and returns, and beside it a call with its response. */
export function Operation({ page, tryIt }: OperationProps) {
  const { parameters, response, errors, scope, repeats, answer, error } = page;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 min-[72rem]:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="min-w-0">
        <Endpoint page={page} />
        <p className="mt-3.5 text-pretty text-ink-2">
          <InlineMarkdown text={page.description} />
        </p>
        <Facts
          className="mt-3.5"
          facts={[
            { label: 'Scope', value: scope === null ? 'Any key' : <Tag>{scope}</Tag> },
            ...(repeats === null
              ? []
              : [{ label: 'Repeats', value: <InlineMarkdown text={repeats} /> }]),
          ]}
        />
        {parameters.length > 0 && (
          <Part title="Parameters">
            <Fields fields={parameters} />
          </Part>
        )}
        <Part title={<>Response {response.status}</>}>
          {response.fields.length > 0 ? (
            <Fields fields={response.fields} />
          ) : (
            <p className="py-2 text-ink-2">
              {answer.body === '' ? 'There is no body.' : 'A text, which is streamed.'}
            </p>
          )}
        </Part>
        <Part title="Errors">
          <ul>
            {errors.map(({ status, code, description }) => (
              <li key={status} className="flex gap-4 border-b border-line py-2">
                <Code className="w-10 shrink-0 leading-5 text-ink-3">{status}</Code>
                <span className="min-w-0">
                  <Code className="leading-5 font-medium wrap-anywhere">{code}</Code>
                  <span className="block text-small text-pretty text-ink-2">
                    <InlineMarkdown text={description} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Part>
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 min-[72rem]:sticky min-[72rem]:top-9 min-[72rem]:max-h-[calc(100dvh-4.5rem)] min-[72rem]:self-start min-[72rem]:overflow-y-auto">
        <SampleTabs samples={page.samples} />
        <ResponseSample title="Response" status={answer.status} body={answer.body} />
        {error && <ResponseSample title="Error" status={Number(error.status)} body={error.body} />}
        {tryIt}
      </div>
    </div>
  );
}

function Endpoint({ page: { method, path } }: { page: OperationPage }) {
  return (
    <p className="flex min-h-10 items-center gap-2.5 rounded-3 border border-line bg-surface py-1 pr-1 pl-2.5">
      <Tag className={method === 'GET' ? '' : 'bg-accent-soft font-medium text-accent-ink'}>
        {method}
      </Tag>
      <span translate="no" className="code min-w-0 flex-1 leading-5 wrap-anywhere">
        {path.split(/(\{\w+\})/).map((part, index) =>
          index % 2 === 1 ? (
            <span key={part} className="text-accent-ink">
              {part}
            </span>
          ) : (
            part
          ),
        )}
      </span>
      <CopyPath path={path} />
    </p>
  );
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-6">
      <h2 className="border-b border-line pb-2 text-heading">{title}</h2>
      {children}
    </section>
  );
}

function Fields({ fields }: { fields: readonly Field[] }) {
  return (
    <ul>
      {fields.map(({ name, type, place, isOptional, description, limits }) => (
        <li key={`${name} ${place}`} className="border-b border-line py-2">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <Code className="leading-5 font-medium wrap-anywhere">{name}</Code>
            <span className="text-micro text-ink-3">
              {place === null ? type : `${type}, in the ${place}`}
            </span>
            {isOptional && <span className="text-micro text-ink-3">Optional</span>}
          </p>
          {description !== '' && (
            <p className="mt-0.5 text-small text-pretty text-ink-2">
              <InlineMarkdown text={description} />
            </p>
          )}
          {limits.length > 0 && (
            <p className="mt-0.5 flex flex-wrap gap-x-4 text-micro text-ink-3">
              {limits.map(({ label, value }) => (
                <span key={label} className="wrap-anywhere">
                  {label} <b className="font-medium text-ink">{value}</b>
                </span>
              ))}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
