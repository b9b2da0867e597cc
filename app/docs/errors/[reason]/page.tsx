import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { errorTable } from '#lib/contract/error-codes.ts';
import { errorReasons } from '#lib/contract/error-reasons.ts';
import { isKeyOf } from '#lib/object-keys.ts';

type ErrorPageProps = { params: Promise<{ reason: string }> };

export async function generateMetadata({ params }: ErrorPageProps): Promise<Metadata> {
  const { reason } = await params;
  return isKeyOf(errorReasons, reason) ? { title: errorReasons[reason].title } : {};
}

/** Explains one reason for which the API refuses calls. Everyone can read it without signing in. */
export default async function ErrorPage({ params }: ErrorPageProps) {
  const { reason } = await params;
  if (!isKeyOf(errorReasons, reason)) notFound();
  const { code, title, cause, remedy } = errorReasons[reason];
  return (
    <main id="main" className="mx-auto grid w-full max-w-160 gap-6 px-gutter py-16">
      <PageHeading title={title} sentence={withCode(cause)} />
      <Section title="What you can do">
        <p>{withCode(remedy)}</p>
      </Section>
      <Section title="In the response">
        <p>
          The status is {errorTable[code].status}, <code translate="no">error.code</code> is{' '}
          <code translate="no">{code}</code>, and <code translate="no">error.reason</code> is{' '}
          <code translate="no">{reason}</code>.
        </p>
      </Section>
    </main>
  );
}

/** Shows what is between backticks as code. */
function withCode(text: string) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={part} translate="no">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
