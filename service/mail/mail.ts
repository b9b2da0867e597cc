import type { MailKind } from './mail-kinds.ts';

/** The content of an email, as plain text; `mail-kinds.ts` has the reasons why someone gets it. */
export type MailContent = {
  kind: MailKind;
  /** What happened, and to what. Write names in it with `quoteShortName`. */
  subject: string;
  paragraphs: readonly string[];
  facts?: readonly MailFact[];
  /** The one thing to do. The URL is a page of the dashboard. */
  action: { label: string; url: string };
  /** Paragraphs after the link: what it does not do, or what to do if something is wrong. */
  closing?: readonly string[];
};

/** A detail, such as the time. */
export type MailFact = readonly [label: string, value: string];

/** An email to one person. */
export type Mail = MailContent & {
  to: string;
  /** The name in the greeting; without it there is no greeting. */
  name?: string;
};

/** An email in the form in which it is sent. */
export type ComposedMail = { to: string; subject: string; text: string; html: string };

/** What a mail server replied to an email that it will never accept. */
export type MailRefusal = { code: number; text: string };
