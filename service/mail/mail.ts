import type { MailKind } from './mail-kinds.ts';

/**
 * What an email says, as plain text: whatever its values hold is text in the email as well. The reasons
 * for which somebody gets it stand in `mail-kinds.ts`.
 */
export type MailContent = {
  kind: MailKind;
  /** What happened, and to what. Shorten names in it with `shortName`. */
  subject: string;
  paragraphs: readonly string[];
  facts?: readonly MailFact[];
  /** The one thing to do. The URL is a page of the dashboard. */
  action: { label: string; url: string };
  /** Paragraphs after the link: what it does not do, or what to do if nothing is right. */
  closing?: readonly string[];
};

/** A detail of what happened, such as the time. */
export type MailFact = readonly [label: string, value: string];

/** An email to one person. */
export type Mail = MailContent & {
  to: string;
  /** How they are greeted; without it they are not. */
  name?: string;
};

/** An email as it is sent. */
export type ComposedMail = { to: string; subject: string; text: string; html: string };
