import type { Config } from '../../config/load-config.ts';
import { mailKindOf } from '../mail-kinds.ts';
import type { ComposedMail, Mail } from '../mail.ts';
import type { FooterLine, MailBody } from './mail-body.ts';
import { oneLine, shorten } from './one-line.ts';
import { toHtml } from './to-html.ts';

/** The name of the product in emails. */
const product = 'Conversation Service';

/** Email programs show less of a subject; RFC 5322 allows 998 characters in a line. */
const maxSubjectLength = 150;

/** Composes an email as plain text and as HTML with the same content. */
export function composeMail(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { kind, to, name, subject, paragraphs, facts = [], action, closing = [] }: Mail,
): ComposedMail {
  const { because, preference, isToStranger } = mailKindOf(kind);
  const url = `${publicUrl.origin}/settings/profile#notifications`;
  const choice: FooterLine =
    preference === null
      ? { text: 'It cannot be turned off.', link: { label: 'Choose which others you get', url } }
      : { text: '', link: { label: 'Choose which emails you get', url } };
  const heading = shorten(oneLine(subject), maxSubjectLength);
  const body: MailBody = {
    product,
    heading,
    greeting: name === undefined ? null : `Hello ${oneLine(name)},`,
    paragraphs: paragraphs.map(oneLine),
    facts: facts.map(([label, value]) => ({ label: oneLine(label), value: oneLine(value) })),
    action: { label: oneLine(action.label), url: oneLine(action.url) },
    closing: closing.map(oneLine),
    footer: [
      { text: `You get this email because ${because}.` },
      ...(isToStranger ? [] : [choice]),
      { text: `${product} at ${publicUrl.host}` },
    ],
  };
  return { to, subject: heading, text: toText(body), html: toHtml(body) };
}

/** An email as plain text. Paragraphs are not wrapped, because email programs do that. */
function toText(body: MailBody): string {
  const { greeting, paragraphs, facts, action, closing, footer } = body;
  const parts = [
    greeting,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    `${action.label}:\n${action.url}`,
    ...closing,
    // Two dashes and a space begin a signature in email programs (RFC 3676, 4.3).
    ['-- ', ...footer.map(footerLine)].join('\n'),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function footerLine({ text, link }: FooterLine): string {
  return [text, link && `${link.label}: ${link.url}`].filter(Boolean).join(' ');
}
