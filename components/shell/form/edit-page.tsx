import type { ReactNode } from 'react';
import { PageHeading } from '../page/page-heading.tsx';
import { PageTitle } from '../page/page-title.tsx';

type EditPageProps = {
  /** The title of the document. */
  pageTitle: string;
  name: string;
  href: string;
  /** When changes take effect, and what they do not change. */
  sentence: string;
  /** The form, or why it is not offered. */
  children: ReactNode;
};

/** The page on which something that exists is edited. */
export function EditPage({ pageTitle, name, href, sentence, children }: EditPageProps) {
  return (
    <>
      <PageTitle>{pageTitle}</PageTitle>
      <PageHeading crumb={{ href, label: name }} title={`Edit ${name}`} sentence={sentence} />
      {children}
    </>
  );
}
